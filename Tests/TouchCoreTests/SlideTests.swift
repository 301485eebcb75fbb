import StageSupport
import Testing
import TouchCore
import TouchViews

/// Fingers that slide over views which say `slide_over`.
@Suite struct SlideTests {
  private let stage = Stage()
  private let keys: [Button]

  /// Two keys side by side that a finger slides over, and one next to them that it does not.
  init() {
    keys = (0..<3).map {
      Button(id: "k\($0)", frame: LocalRect(x: Double($0) * 100, y: 0, width: 100, height: 100))
    }
    for key in keys { stage.add(key) }
    for key in keys.prefix(2) { key.tracking = .slideOver }
  }

  @Test func `a finger that slides enters and leaves`() {
    stage.drag([(50, 50), (90, 50), (150, 50), (160, 50)])
    #expect(
      stage.diary.take() == [
        "k0.touchDown", "k0.began 1",
        "k0.touchDragInside", "k0.moved 1",
        "k0.left 1", "k1.touchDragEnter", "k1.entered 1",
        "k0.touchDragExit", "k0.touchDragOutside", "k0.moved 1",
        "k0.touchDragOutside", "k0.moved 1",
        "k1.touchUpInside", "k1.left 1",
        "k0.touchUpOutside", "k0.ended 1",
      ])
    #expect(!keys[1].isHighlighted)
  }

  @Test func `the key under the finger is the one that is highlighted`() {
    stage.frame((1, .began, 50, 50))
    #expect(keys.map(\.isHighlighted) == [true, false, false])
    stage.frame((1, .moved, 150, 50))
    stage.dispatcher.flush()
    #expect(keys.map(\.isHighlighted) == [false, true, false])
    stage.frame((1, .moved, 50, 50))
    stage.dispatcher.flush()
    #expect(keys.map(\.isHighlighted) == [true, false, false])
    stage.frame((1, .ended, 50, 50))
    #expect(stage.diary.take().contains("k0.touchUpInside"))
  }

  @Test func `views that do not ask for entered and left do not receive them`() {
    stage.drag([(150, 50), (250, 50)])
    #expect(!stage.diary.take().contains { $0.hasPrefix("k2") })
    stage.drag([(250, 50), (150, 50)], firstSerial: 2)
    #expect(!stage.diary.take().contains { $0.hasPrefix("k1") })
  }

  @Test func `a container says it for all that is in it`() {
    let row = stage.add(View(id: "row", frame: LocalRect(x: 0, y: 200, width: 200, height: 100)))
    row.tracking = .slideOver
    for index in 0..<2 {
      stage.add(
        Control(
          id: "c\(index)", frame: LocalRect(x: Double(index) * 100, y: 0, width: 100, height: 100)),
        to: row)
    }
    stage.drag([(50, 250), (150, 250)])
    #expect(stage.diary.take().contains("c1.touchUpInside"))
  }

  @Test func `a cancelled touch cancels the key that it is over`() {
    stage.frame((1, .began, 50, 50))
    stage.frame((1, .moved, 150, 50))
    stage.dispatcher.flush()
    _ = stage.diary.take()
    stage.frame((1, .cancelled, 150, 50))
    #expect(
      stage.diary.take() == ["k1.touchCancel", "k1.left 1", "k0.touchCancel", "k0.cancelled 1"])
    #expect(keys.allSatisfy { !$0.isHighlighted })
  }

  @Test func `a gesture that takes the touch ends the slide`() {
    stage.window.addGestureRecognizer(PanGestureRecognizer(id: "pan"))
    stage.frame((1, .began, 95, 50))
    stage.frame((1, .moved, 104, 50))
    stage.dispatcher.flush()
    stage.frame((1, .moved, 150, 50))
    stage.dispatcher.flush()
    stage.frame((1, .ended, 150, 50))
    let lines = stage.diary.take()
    #expect(lines.filter { $0 == "k1.entered 1" }.count == 1 && lines.filter { $0 == "k1.left 1" }.count == 1)
    #expect(lines.contains("k1.touchCancel") && keys.allSatisfy { !$0.isHighlighted })
  }
}
