import Testing
import TouchSystem

@testable import TouchKit

/// Views that move in pictures while the test moves the clock.
@Suite @MainActor struct AnimationTests {
  private let app: Application
  private let box = View(id: "box", frame: Rect(x: 0, y: 0, width: 20, height: 20))

  init() throws {
    app = try Application(display: .headless(width: 220, height: 40))
    box.background = .red
    app.window.addSubview(box)
    _ = app.picture
  }

  /// Counts turns of the loop.
  private final class Turns: TurnHook {
    var turnPlace: TurnPlace?
    var count = 0

    func turnEnds(at now: Timestamp) { count += 1 }
  }

  private func isRed(_ x: Int) throws -> Bool { try #require(app.picture)[x, 10] == .red }

  @Test func `pictures show the way, and completion comes at its end`() throws {
    var ends: [Bool] = []
    box.animate(withDuration: 0.2, options: .curveLinear) {
      box.frame.origin.x = 200
    } completion: {
      ends.append($0)
    }
    #expect(box.frame.minX == 200)
    #expect(try isRed(10) && !isRed(210))
    app.advance(by: .milliseconds(1))
    app.advance(by: .milliseconds(100))
    #expect(try !isRed(10) && isRed(110) && ends.isEmpty)
    app.advance(by: .milliseconds(100))
    #expect(try isRed(210) && ends == [true])
  }

  @Test func `sixty pictures a second are painted while something moves, and nobody is woken otherwise`() {
    let turns = Turns()
    var pictures = 0
    app.runtime.presentation.renderer.onPainted = { _ in pictures += 1 }
    box.animate(withDuration: 0.5) { box.frame.origin.x = 200 }
    app.advance(by: .milliseconds(600))
    #expect((29...32).contains(pictures), "\(pictures)")
    app.runtime.loop.addHook(turns, at: .record)
    app.advance(by: .seconds(60))
    #expect(turns.count <= 2, "the turns of the test itself")
  }

  @Test func `nothing is painted before a delayed animation begins`() {
    var pictures = 0
    box.animate(withDuration: 0.1, delay: 10) { box.frame.origin.x = 200 }
    app.advance(by: .milliseconds(100))
    let turns = Turns()
    app.runtime.loop.addHook(turns, at: .record)
    app.runtime.presentation.renderer.onPainted = { _ in pictures += 1 }
    app.advance(by: .seconds(9))
    #expect(pictures == 0 && turns.count <= 2)
    app.advance(by: .seconds(2))
    #expect((4...8).contains(pictures), "\(pictures)")
  }

  @Test func `with reduced motion everything is there at once`() throws {
    app.window.reducesMotion = true
    var isFinished = false
    box.animate(withDuration: 5, usingSpringWithDamping: 0.5) {
      box.frame.origin.x = 200
    } completion: {
      isFinished = $0
    }
    app.advance(by: .milliseconds(20))
    #expect(try isRed(210) && isFinished)
  }

  @Test func `a button is pressed where it goes, and its closure can animate`() throws {
    let button = Button("Go", id: "go", frame: Rect(x: 100, y: 0, width: 40, height: 40)) { [box] in
      box.animate(withDuration: 0.1) { box.alpha = 0 }
    }
    app.window.addSubview(button)
    button.animate(withDuration: 1) { button.frame.origin.x = 180 }
    app.touch(.tap(at: WindowPoint(x: 200, y: 20)))
    #expect(box.alpha == 0)
    app.advance(by: .milliseconds(200))
    #expect(try #require(app.picture)[10, 10] == .black)
  }
}

@MainActor @Test func `the static function of views animates in the program's windows`() throws {
  let app = try Application(display: .headless(width: 100, height: 100))
  let box = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
  app.window.addSubview(box)
  var ends: [Bool] = []
  View.animate(withDuration: 0.2) {
    box.frame.origin.x = 50
  } completion: {
    ends.append($0)
  }
  #expect(box.frame.origin.x == 50 && ends.isEmpty)
  app.advance(by: .seconds(1))
  #expect(ends == [true])
  View.animate(withDuration: 0.2, usingSpringWithDamping: 0.5) { box.alpha = 0 }
  #expect(box.alpha == 0)
}
