import Foundation
import Testing
import TouchCore
import TouchExpressions
import TouchViews

@testable import TouchConfig

/// Every example can be worked to its last control with three keys (tab, enter and escape), without a change to its file.
@Suite
struct KeysOnlyTests {
  /// Somebody who has three keys, and looks at what they do.
  private final class User: DispatchObserver {
    let tree: ViewTree
    let presses: PressDispatcher
    private let dispatcher: Dispatcher
    private var now = Timestamp.zero
    /// The controls that have sent that they were used.
    private(set) var used: Set<String> = []
    private var pages: [(PagesView, PagesView.Target)] = []

    init(_ configuration: Configuration) {
      let size = configuration.display.canvasSize ?? Size(width: 800, height: 480)
      tree = ViewTree(configuration, canvasSize: size)
      dispatcher = Dispatcher(window: tree.window)
      presses = PressDispatcher(window: tree.window)
      dispatcher.observer = self
      tree.window.layoutIfNeeded()
    }

    var system: FocusSystem { tree.window.focusSystem }

    func press(_ code: KeyCode) {
      for kind in [PressChange.Kind.began, .ended] {
        now.microseconds += 10_000
        presses.dispatch(
          [PressChange(device: DeviceID(rawValue: 1), kind: kind, key: Key(code))], at: now)
      }
      // What the file's actions do with it; handlers are another module's.
      for (view, target) in pages { try? view.show(target) }
      pages = []
      system.updateIfNeeded()
    }

    func observe(_ step: DispatchStep) {
      guard case .control(let control, let action, _)? = step.viewStep else { return }
      if action == .touchUpInside || action == .valueChanged { used.insert(control.id) }
      let views = tree.configuration.views
      for list in tree.configuration.actions {
        guard case .control(let index, action) = list.occasion, views[index].id == control.id else {
          continue
        }
        for case .page(let id, let target, _) in list.steps.map(\.step) {
          if let view = tree.viewsByID[id] as? PagesView { pages.append((view, target)) }
        }
      }
    }

    /// Uses everything that tab leads to, until many rounds have brought nothing new. A button that was pressed is pressed again now
    /// and then, since it may lead to another page, and left alone otherwise, since it may lead away from one.
    func useEverything() {
      var seen: Set<String> = []
      var (quiet, dice) = (0, UInt64(1))
      while quiet < 500 {
        press(.tab)
        guard let item = system.focusedItem else { return }
        let isNew = seen.insert("\(item.view.id) \(item.part ?? -1)").inserted
        quiet = isNew ? 0 : quiet + 1
        dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        guard isNew || item.view is Button && (dice >> 33) % 3 == 0 else { continue }
        press(.enter)
        if system.isEditing {
          press(.tab)
          press(.escape)
        }
      }
    }
  }

  @Test(arguments: ["jukebox", "keypad", "machine", "photo", "piano", "thermostat"])
  func `an example is worked with three keys`(_ name: String) throws {
    let file = configFolder.appending(path: "examples/\(name).yaml")
    let configuration = try Configuration.load(path: file.path)
    let user = User(configuration)
    user.useEverything()
    let controls = configuration.views.filter { view in
      guard view.kind.isControl, let made = user.tree.viewsByID[view.id] as? Control else { return false }
      return made.isEnabled && made.isUserInteractionEnabled
    }.map(\.id)
    #expect(Set(controls).subtracting(user.used) == [])
    #expect(user.presses.presses.isEmpty)
  }
}
