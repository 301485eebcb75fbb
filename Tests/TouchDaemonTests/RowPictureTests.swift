import Glibc
import Testing
import TouchConfig
import TouchDaemon
import TouchExpressions
import TouchPixels
import TouchRender
import TouchTools

@testable import TouchCore
@testable import TouchViews

/// A list whose rows are views, drawn and touched beside one whose rows all exist.
@Suite struct RowPictureTests {
  /// A panel with a finger on it.
  private final class Panel {
    let tree: ViewTree
    let dispatcher: Dispatcher
    private let painter: Painter
    private let followed: Surface
    private var damage = Damage()
    private var time = Timestamp.zero

    init(_ list: String) throws {
      let text = """
        window:
          subviews:
            - {id: lamps, frame: [20, 20, 240, 200], background: "#1b232c", \(list)}
        """
      let size = Size(width: 280, height: 240)
      tree = ViewTree(try Configuration.parse(text: text, file: "f.yaml"), canvasSize: size)
      dispatcher = Dispatcher(window: tree.window)
      painter = try Painter(geometry: DisplayGeometry(displaySize: size))
      followed = try Surface(width: 280, height: 240)
      painter.paintAll(tree.window, highlights: nil, on: followed)
    }

    func touch(_ kind: TouchChange.Kind, _ x: Double, _ y: Double) {
      time.microseconds += 10_000
      let change = TouchChange(
        contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: kind,
        location: WindowPoint(x: x, y: y))
      dispatcher.dispatch([change], at: time)
      dispatcher.flush()
    }

    func wait(seconds: Double) {
      time.microseconds += Int64(seconds * 1_000_000)
      dispatcher.advance(to: time)
    }

    /// Whether the displays of both show the same when what has changed was painted.
    func shows(_ other: Panel) -> Bool {
      for panel in [self, other] { panel.paint() }
      return memcmp(followed.pixels, other.followed.pixels, followed.width * followed.height * 4) == 0
    }

    /// Whether the display shows what it would show if everything was painted.
    var isWhole: Bool {
      get throws {
        paint()
        let whole = try Surface(width: 280, height: 240)
        painter.paintAll(tree.window, highlights: nil, on: whole)
        return memcmp(followed.pixels, whole.pixels, whole.width * whole.height * 4) == 0
      }
    }

    private func paint() {
      tree.window.layoutIfNeeded()
      tree.bindings.settle()
      tree.window.takeDamage(into: &damage)
      painter.paint(tree.window, highlights: nil, damage: damage, on: followed)
      damage.removeAll()
    }
  }

  private static let row = """
    {subviews: [LINE
      {kind: label, frame: [10, 0, 110, 40], text: "{index} lamp", background: "{index % 2 == 0 ? '#223' : '#322'}"},
      {id: on, kind: switch, frame: [120, 4, 60, 31], value: "{index % 3 == 0}"},
      {kind: label, frame: [190, 0, 50, 40], text: "{on.value}"}]}
    """.replacing("\n", with: " ")

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `it looks as if all rows existed, however it is scrolled and touched`(seed: UInt64) throws {
    func repeated(_ line: String) -> String {
      "for: 60, id: \"lamp-{index}\", view: \(Self.row.replacing("LINE", with: line))"
    }
    let some = try Panel(
      "kind: list, allows_selection: false, row_height: 40, subviews: [{repeat: {\(repeated(""))}}]")
    let line = "{frame: [16, 39, 224, 1], background: \"#344354\", hidden: \"{index == 59}\"}, "
    let all = try Panel(
      "kind: scroll, content: [240, 2400], "
        + "subviews: [{repeat: {\(repeated(line)), frame: [0, \"{index * 40}\", 240, 40]}}]")
    let panels = [some, all]
    var random = RandomNumbers(state: seed &* 7919 &+ 1)
    var (isDown, x, y) = (false, 0.0, 0.0)
    #expect(some.shows(all))
    for step in 0..<40 {
      switch Int.random(in: 0..<7, using: &random) {
      case 0 where isDown:
        for panel in panels { panel.touch(.ended, x, y) }
        isDown = false
      case _ where !isDown:
        let seconds = Double.random(in: 0...0.6, using: &random)
        (x, y) = (.random(in: 20..<260, using: &random), .random(in: 20..<220, using: &random))
        for panel in panels {
          panel.wait(seconds: seconds)
          panel.touch(.began, x, y)
        }
        isDown = true
      case 1: for panel in panels { panel.wait(seconds: 0.1) }
      default:
        y += .random(in: -90...70, using: &random)
        for panel in panels { panel.touch(.moved, x, y) }
      }
      #expect(some.shows(all), "seed \(seed), step \(step)")
    }
    let offsets = panels.compactMap { $0.tree.viewsByID["lamps"]?.scrollView?.contentOffset }
    #expect(offsets[0] == offsets[1])
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `headers that stay and footers are painted, however the list is scrolled`(seed: UInt64) throws {
    let panel = try Panel(
      "kind: list, row_height: 40, headers: [One, \"\", Two, \"\", \"\", \"\", Three], footers: [\"\", first], "
        + "subviews: [{repeat: {for: 20, view: \(Self.row.replacing("LINE", with: ""))}}]")
    var random = RandomNumbers(state: seed &* 7919 &+ 1)
    var (isDown, y) = (false, 0.0)
    for step in 0..<40 {
      if !isDown {
        panel.wait(seconds: .random(in: 0...0.4, using: &random))
        y = .random(in: 100..<220, using: &random)
      } else {
        y += .random(in: -70...60, using: &random)
      }
      panel.touch(isDown ? step % 5 == 4 ? .ended : .moved : .began, 60, y)
      isDown = !isDown || step % 5 != 4
      #expect(try panel.isWhole, "seed \(seed), step \(step)")
    }
  }

  @Test func `what is checked of rows is what is seen of them`() throws {
    let text = """
      window:
        subviews:
          - kind: list
            row_height: 56
            subviews:
              - repeat:
                  for: 5000
                  view: {kind: stack, axis: horizontal, insets: 8, subviews: [{kind: label, text: "{index}"}, {kind: switch, label: "{index}", size: [60, null]}]}
      """
    let configuration = try Configuration.parse(text: text, file: "f.yaml")
    let warnings = try TreeLint.warnings(of: configuration, on: [Size(width: 280, height: 240)])
    #expect(warnings.map(\.description) == [])
  }

  private struct RandomNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }
}
