import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Sheets and alerts, against what Apple documents. Each row names its source; `ours` is an addition, or what
/// the documentation leaves open.
@Suite struct SheetTests {
  /// A page with a button that fills the window, and a sheet of 200 units at the lower edge with a button in
  /// it.
  final class Scene {
    let stage = Stage()
    let page = View(id: "page", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
    let below = Button(id: "below", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
    let sheet = SheetView(id: "sheet")
    let close = Button(id: "close", frame: LocalRect(x: 0, y: 0, width: 100, height: 200))

    init() {
      stage.add(page)
      stage.add(below, to: page)
      sheet.addSubview(close)
      (sheet.fixedWidth, sheet.fixedHeight) = (300, 200)
    }

    /// Presents it, and waits until it is there.
    func present() {
      sheet.present(over: page)
      wait()
    }

    /// Lets time pass: what a program starts begins with the next turn.
    func wait(seconds: Double = 2) {
      stage.rest(seconds: 0.001)
      stage.rest(seconds: seconds)
    }

    func hit(_ x: Double, _ y: Double) -> String? {
      stage.window.hitView(at: WindowPoint(x: x, y: y), with: nil)?.id
    }

    /// A finger goes from one height to another, and lifts after a rest.
    func drag(from y: Double, to end: Double, x: Double = 250, rests: Bool = true) {
      stage.frame((1, .began, x, y))
      for step in 1...10 {
        stage.frame((1, .moved, x, y + (end - y) * Double(step) / 10))
        stage.dispatcher.flush()
      }
      if rests { stage.rest(seconds: 0.2) }
      stage.frame((1, .ended, x, end))
      stage.rest(seconds: 2)
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var isAlert = false
    var play: @Sendable (Scene) -> Void
    var isPresented: Bool
    /// What the hit test finds where only the page is, at the end.
    var beside: String?
    var testDescription: String { "\(title) (\(source))" }
  }

  static let rows: [Row] = [
    Row(
      title: "it is over everything, and what is behind it cannot be touched",
      source: "UIViewController.present(_:animated:completion:)", play: { _ in }, isPresented: true,
      beside: "sheet.backdrop"),
    Row(
      title: "a tap outside closes it",
      source: "UISheetPresentationController: tap the dimmed area to dismiss",
      play: {
        $0.stage.tap(10, 10)
        $0.wait()
      }, isPresented: false, beside: "below"),
    Row(
      title: "a tap outside does not close an alert", source: "UIAlertController.Style.alert", isAlert: true,
      play: { $0.stage.tap(10, 10) }, isPresented: true, beside: "sheet.backdrop"),
    Row(
      title: "a tap in it does not close it", source: "UISheetPresentationController",
      play: { $0.stage.tap(300, 300) }, isPresented: true, beside: "sheet.backdrop"),
    Row(
      title: "a drag down beyond the middle closes it",
      source: "UIAdaptivePresentationControllerDelegate.presentationControllerDidDismiss(_:)",
      play: { $0.drag(from: 210, to: 340) }, isPresented: false, beside: "below"),
    Row(
      title: "a drag from a button closes it, and does not press the button",
      source: "a pan cancels the touch of a control: UIGestureRecognizer.cancelsTouchesInView",
      play: {
        _ = $0.stage.diary.take()
        $0.drag(from: 210, to: 340, x: 80)
        let lines = $0.stage.diary.take()
        #expect(lines.contains("close.touchCancel") && !lines.contains("close.touchUpInside"))
      }, isPresented: false, beside: "below"),
    Row(
      title: "one along a slider is the slider's", source: "UIKit since iOS 6: UISlider keeps its drag",
      play: { scene in
        let slider = Slider(id: "slider", frame: LocalRect(x: 120, y: 0, width: 100, height: 200))
        slider.transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        slider.jumps = true
        scene.sheet.addSubview(slider)
        scene.stage.window.layoutIfNeeded()
        scene.drag(from: 260, to: 390, x: 220)
        #expect(slider.controlValue?.number ?? 0 > 0)
      }, isPresented: true, beside: "sheet.backdrop"),
    Row(
      title: "a shorter one does not", source: "ours", play: { $0.drag(from: 210, to: 260) },
      isPresented: true, beside: "sheet.backdrop"),
    Row(
      title: "unless it is fast", source: "ours", play: { $0.drag(from: 210, to: 260, rests: false) },
      isPresented: false, beside: "below"),
    Row(
      title: "a drag does not close an alert", source: "UIAlertController.Style.alert", isAlert: true,
      play: { $0.drag(from: 150, to: 390) }, isPresented: true, beside: "sheet.backdrop"),
    Row(
      title: "a drag up does not move it", source: "ours", play: { $0.drag(from: 390, to: 10) },
      isPresented: true, beside: "sheet.backdrop"),
    Row(
      title: "a drag of what is dimmed does not move it", source: "UISheetPresentationController",
      play: { $0.drag(from: 10, to: 180) }, isPresented: true, beside: "sheet.backdrop"),
    Row(
      title: "it can be dismissed by the program",
      source: "UIViewController.dismiss(animated:completion:)",
      play: {
        $0.sheet.dismiss()
        $0.wait()
      }, isPresented: false, beside: "below"),
    Row(
      title: "while it goes, what is behind it can be touched", source: "ours", play: { $0.sheet.dismiss() },
      isPresented: false, beside: "below"),
    Row(
      title: "and it can be presented again on its way",
      source: "UIViewController.present(_:animated:completion:)",
      play: {
        $0.sheet.dismiss()
        $0.wait(seconds: 0.05)
        $0.present()
      }, isPresented: true, beside: "sheet.backdrop"),
  ]

  @Test(arguments: rows) func `a sheet does what UIKit documents`(row: Row) {
    let scene = Scene()
    scene.sheet.isAlert = row.isAlert
    scene.present()
    let home = scene.sheet.windowFrame
    let height = row.isAlert ? 100.0 : 192
    #expect(home == WindowRect(x: 50, y: height, width: 300, height: 200))
    row.play(scene)
    #expect(scene.sheet.isPresented == row.isPresented)
    #expect(scene.hit(10, 10) == row.beside)
    #expect(!row.isPresented || scene.sheet.windowFrame == home)
    scene.wait()
    #expect(scene.stage.dispatcher.deadline == nil, "at rest nothing is woken")
    #expect((scene.sheet.window != nil) == row.isPresented, "what is dismissed leaves the window")
  }

  /// UIKit takes no touches while a presentation is animated.
  @Test(arguments: [false, true]) func `an impatient second tap on its opener does not close a sheet`(
    reducesMotion: Bool
  ) {
    let scene = Scene()
    scene.below.addAction(for: .touchUpInside) { [unowned scene] in scene.sheet.present(over: scene.page) }
    for _ in 0..<2 {
      scene.stage.tap(10, 10)
      scene.stage.wait(seconds: 0.1)
    }
    #expect(scene.sheet.isPresented)
    // Nor does it drag the sheet away.
    scene.stage.drag([(250, 210), (250, 300), (250, 390)])
    scene.stage.wait(seconds: 0.1)
    #expect(scene.sheet.isPresented)
    scene.stage.tap(60, 300)
    #expect(scene.stage.diary.take().contains("close.touchUpInside"), "what is in it is pressed")
    scene.wait()
    scene.stage.tap(10, 10)
    #expect(!scene.sheet.isPresented, "a tap after it has arrived")
  }

  @Test func `pictures show a sheet on its way, and touches find it at its place`() throws {
    let scene = Scene()
    scene.sheet.present(over: scene.page)
    func seenPlace() -> Double? {
      let animator = scene.stage.window.animator
      animator?.step(to: scene.stage.time)
      guard case .point(let place)? = animator?.presented(.place, of: scene.sheet) else { return nil }
      return place.y
    }
    #expect(seenPlace() == 400 && scene.sheet.windowFrame.minY == 192 && scene.hit(60, 300) == "close")
    scene.wait(seconds: 0.1)
    let place = try #require(seenPlace())
    #expect(place > 192 && place < 400)
    scene.wait(seconds: 0.5)
    #expect(seenPlace() == nil)
  }

  /// `UIResponder.touchesCancelled(_:with:)`: when the view is removed from its window; the views below an
  /// overFullScreen presentation are not (`UIModalPresentationStyle.overFullScreen`).
  @Test func `a touch that is under way below goes on, and later ones are the sheet s`() {
    let scene = Scene()
    scene.stage.frame((1, .began, 10, 10))
    scene.present()
    scene.stage.frame((2, .began, 60, 300))
    scene.stage.frame((1, .ended, 10, 10))
    scene.stage.frame((2, .ended, 60, 300))
    let lines = scene.stage.diary.take()
    #expect(lines.contains("below.touchUpInside") && lines.contains("close.touchUpInside"))
    #expect(!lines.contains { $0.contains("ancel") })
  }

  @Test func `a touch in a sheet that is dismissed is cancelled`() {
    let scene = Scene()
    scene.present()
    scene.stage.frame((1, .began, 60, 300))
    scene.sheet.dismiss()
    #expect(scene.stage.diary.take().contains("close.touchCancel"))
    scene.stage.frame((1, .ended, 60, 300))
    #expect(!scene.stage.diary.take().contains("close.touchUpInside"))
  }

  /// `UIViewController.next`, and "Using responders and the responder chain to handle events".
  @Test func `the chain of a sheet goes on to the controller that presents it, or to the window`() {
    let scene = Scene()
    scene.present()
    func chain() -> [String] { ResponderChain(from: scene.close).responders.map(\.id) }
    #expect(chain() == ["close", "sheet", "sheet.backdrop", "window", "application"])
    scene.sheet.dismiss()
    scene.wait()
    let (main, sure) = (ViewController(id: "main"), ViewController(id: "sure"))
    (scene.page.viewController, scene.sheet.viewController) = (main, sure)
    scene.sheet.present(over: scene.below)
    #expect(chain() == ["close", "sheet", "sure", "main", "window", "application"])
    #expect(sure.presentingViewController === main)
  }

  @Test func `what scrolls in a sheet drags it along at its end`() {
    let scene = Scene()
    let list = ScrollView(id: "list", frame: LocalRect(x: 100, y: 0, width: 200, height: 200))
    scene.stage.add(View(id: "rows", frame: LocalRect(x: 0, y: 0, width: 200, height: 600)), to: list)
    scene.sheet.addSubview(list)
    scene.present()
    scene.drag(from: 300, to: 250)
    #expect(list.contentOffset.y == 40 && scene.sheet.isPresented)
    scene.drag(from: 200, to: 390)
    #expect(!scene.sheet.isPresented)
  }

  @Test func `a later sheet is in front, and events say what is presented`() {
    final class Watcher: DispatchObserver {
      var lines: [String] = []
      func observe(_ step: DispatchStep) {
        if case .sheet(let sheet)? = step.viewStep { lines.append("\(sheet.id) \(sheet.isPresented)") }
      }
    }
    let scene = Scene()
    let watcher = Watcher()
    scene.stage.dispatcher.observer = watcher
    let alert = SheetView(id: "alert")
    alert.isAlert = true
    var raised = HitBehavior()
    raised.z = 5
    scene.page.hitBehavior = raised
    scene.present()
    alert.present(over: scene.close)
    #expect(scene.hit(10, 10) == "alert.backdrop")
    alert.dismiss()
    #expect(scene.hit(10, 10) == "sheet.backdrop")
    scene.stage.tap(10, 10)
    #expect(watcher.lines == ["sheet true", "alert true", "alert false", "sheet false"])
  }

  @Test func `a hidden sheet costs nothing, and what moves is drawn again, and nothing else`() throws {
    let scene = Scene()
    let backdrop = SheetBackdrop(of: scene.sheet, over: scene.page)
    scene.stage.add(backdrop)
    scene.stage.window.layoutIfNeeded()
    scene.stage.window.damage.removeAll()
    scene.close.appearance.background = .red
    #expect(scene.stage.window.damage.isEmpty && scene.hit(60, 300) == "below")
    try scene.sheet.set([.init(key: "presented", value: .flag(true))])
    scene.wait()
    scene.stage.window.damage.removeAll()
    scene.stage.frame((1, .began, 250, 210))
    scene.stage.frame((1, .moved, 250, 230))
    scene.stage.dispatcher.flush()
    let damage = scene.stage.window.damage.rects.reduce(WindowRect.zero) { $0.union($1) }
    #expect(damage == WindowRect(x: 50, y: 192, width: 300, height: 210))
  }

  @Test func `a sheet in a private view is private`() {
    let scene = Scene()
    scene.page.isPrivate = true
    scene.present()
    #expect(scene.close.privateView === scene.sheet)
  }
}
