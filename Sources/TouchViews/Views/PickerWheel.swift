import TouchCore

/// One wheel of a picker. It stops on rows only.
public final class PickerWheel: ScrollView {
  private unowned let picker: PickerView
  /// The place among the wheels, counted from 0 at the left.
  public let column: Int
  /// The last touch that may turn the wheel. Its chain has the wheel: kept strongly, it would keep every tree
  /// that was touched here.
  private weak var candidate: Touch?
  /// The touch that has set the wheel in motion, until it rests.
  private var touch: Touch?

  init(of picker: PickerView, column: Int) {
    (self.picker, self.column) = (picker, column)
    super.init(id: "\(picker.id).wheel\(column + 1)")
    scrolling.axis = .vertical
    (scrolling.showsIndicators, scrolling.delaysTouches) = (false, false)
    let tap = TapGestureRecognizer(id: "\(id).tap")
    // A tap on a row turns the wheel to it. (As `UIPickerView` does; Apple does not document it.)
    tap.action = { [weak self, weak tap] _ in if let tap, tap.state == .ended { self?.spring(under: tap) } }
    addGestureRecognizer(tap)
  }

  public override class var standardHitTestClass: View.Type { PickerWheel.self }

  /// A wheel that is gone never rests.
  public override func didMoveToWindow() {
    super.didMoveToWindow()
    if window == nil { touch = nil }
  }

  override var reportsScrolling: Bool { false }

  /// The number of the wheel's rows.
  public var rowCount: Int { picker.rowCount(of: column) }

  /// The turn of the wheel in rows. While a round wheel turns, it may exceed the number of rows.
  public var position: Double { bounds.minY / picker.rowHeight }

  /// Whether the first row follows the last one: that of hours, and that of minutes. (As `UIDatePicker`
  /// does.)
  final var goesRound: Bool { picker.mode == .time }

  /// The row that stands at a place of the wheel, counted in rows from its beginning; nil beyond its ends.
  func row(at place: Int) -> Int? {
    let count = rowCount
    if goesRound, count > 0 { return (place % count + count) % count }
    return (0..<count).contains(place) ? place : nil
  }

  var row: Int {
    let place = Int(saturating: position.rounded())
    return row(at: place) ?? min(max(0, place), max(0, rowCount - 1))
  }

  func turn(to row: Int) {
    let place = Double(row) * picker.rowHeight
    if offset.y != place || !isResting {
      touch = nil
      rest(at: LocalPoint(x: 0, y: place))
    }
  }

  private func spring(under tap: TapGestureRecognizer) {
    let distance = tap.location(in: self).y - bounds.midY
    let rows = (offset.y + distance) / picker.rowHeight
    let end = LocalPoint(x: 0, y: range.y.nearest(to: rows.rounded() * picker.rowHeight))
    guard end != offset else { return }
    if spring(to: end) { touch = candidate } else { rest(at: end) }
  }

  // MARK: Scrolling

  override var range: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
    // No finger turns it so far before it rests.
    if goesRound { return (0...0, -Self.manyRows * picker.rowHeight...Self.manyRows * picker.rowHeight) }
    return (0...0, 0...Double(max(0, picker.rowCount(of: column) - 1)) * picker.rowHeight)
  }

  private static let manyRows = 1e6

  override func released(
    with speed: LocalVector, at time: Timestamp
  ) -> (x: ScrollMotion?, y: ScrollMotion?) {
    let (free, height) = (super.released(with: speed, at: time).y, picker.rowHeight)
    guard range.y.contains(offset.y) else {
      if free != nil { touch = candidate }
      return (nil, free)
    }
    let end = range.y.nearest(to: ((free?.end ?? offset.y) / height).rounded() * height)
    guard end != offset.y else { return (nil, nil) }
    let motion: ScrollMotion? =
      abs(end - offset.y) > 2 * height
      ? .coasting(from: offset.y, to: end, scrolling.deceleration, at: time)
      : .turning(from: offset.y, to: end, speed: speed.y, at: time)
    touch = candidate
    return (nil, motion)
  }

  override func rest(at time: Timestamp) {
    let turned = touch ?? candidate
    touch = nil
    super.rest(at: time)
    turn(to: row)
    picker.stopped(self, turned)
  }

  /// A step of a wheel of a mouse turns this one by a row.
  override func turn(x: Double, y: Double, at time: Timestamp) -> Bool {
    guard isResting else { return true }
    guard let next = row(at: row + (y > 0 ? -1 : y < 0 ? 1 : 0)), next != row else { return false }
    turn(to: next)
    picker.stopped(self, nil)
    return true
  }

  /// Every touch that may turn the wheel is asked about here.
  public override func gestureRecognizer(
    _ recognizer: GestureRecognizer, shouldReceive touch: Touch
  ) -> Bool {
    candidate = touch
    return true
  }
}
