import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Pickers, against what Apple documents of `UIPickerView` and `UIDatePicker`. Each row names its source;
/// `ours` is what the documentation leaves open.
@Suite struct PickerTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var mode = PickerView.Mode.list
    /// Where the value is at first; nil for that of a new one.
    var value: Double?
    /// What fingers do; the picker lies from (0, 0) to (300, 180), and a row is 36 units high.
    var play: @Sendable (Stage) -> Void
    var shows: String
    var sent = 1
    var testDescription: String { "\(title) (\(source))" }
  }

  private static func drag(_ x: Double, by y: Double, rests: Bool = true) -> @Sendable (Stage) -> Void {
    { stage in
      stage.frame((1, .began, x, 90))
      for step in 1...10 {
        stage.frame((1, .moved, x, 90 + y * Double(step) / 10))
        stage.dispatcher.flush()
      }
      if rests { stage.rest(seconds: 0.2) }
      stage.frame((1, .ended, x, 90 + y))
      stage.rest(seconds: 4)
    }
  }

  private static func tap(_ x: Double, _ y: Double) -> @Sendable (Stage) -> Void {
    {
      $0.tap(x, y)
      $0.rest(seconds: 2)
    }
  }

  static let rows: [Row] = [
    Row(
      title: "the wheel stops on the nearest row", source: "UIPickerView", play: drag(150, by: -60),
      shows: "one"),
    Row(
      title: "and sends it when it has stopped, once",
      source: "UIPickerViewDelegate.pickerView(_:didSelectRow:inComponent:)", value: 1,
      play: drag(150, by: -82), shows: "three"),
    Row(
      title: "back to the row that it was on", source: "UIPickerView", play: drag(150, by: -20),
      shows: "zero", sent: 0),
    Row(
      title: "beyond the last row it springs back", source: "UIPickerView", value: 4,
      play: drag(150, by: -80),
      shows: "four", sent: 0),
    Row(
      title: "a flick goes on to a row", source: "UIPickerView", play: drag(150, by: -60, rests: false),
      shows: "four"),
    Row(
      title: "a tap on a row turns it to the middle", source: "measured", play: tap(150, 130), shows: "one"),
    Row(
      title: "one on the row in the middle does nothing", source: "measured", play: tap(150, 90),
      shows: "zero", sent: 0),
    Row(
      title: "numbers go by steps", source: "ours", mode: .number, value: 20, play: drag(150, by: -46),
      shows: "21"),
    Row(
      title: "hours and minutes are wheels of their own", source: "UIDatePicker.Mode.time", mode: .time,
      value: 21 * 60 + 30, play: drag(40, by: 46), shows: "20:30"),
    Row(
      title: "hours go round", source: "UIDatePicker.Mode.time", mode: .time, value: 23 * 60 + 5,
      play: drag(75, by: -36), shows: "00:05"),
    Row(
      title: "the other way, too, and further", source: "UIDatePicker.Mode.time", mode: .time, value: 60,
      play: drag(75, by: 108), shows: "22:00"),
    Row(
      title: "the minutes do not change the hour", source: "UIDatePicker.Mode.time", mode: .time,
      value: 21 * 60 + 30, play: drag(260, by: -46), shows: "21:31"),
    Row(
      title: "a date has a wheel for year, month and day", source: "UIDatePicker.Mode.date", mode: .date,
      value: Double(CivilDate(year: 2026, month: 11, day: 23).days), play: drag(40, by: -46),
      shows: "2027-11-23"),
    Row(
      title: "in a shorter month the day is the last one", source: "UIDatePicker", mode: .date,
      value: Double(CivilDate(year: 2026, month: 1, day: 31).days), play: drag(150, by: -46),
      shows: "2026-02-28"),
    Row(
      title: "a leap year has its day", source: "UIDatePicker", mode: .date,
      value: Double(CivilDate(year: 2028, month: 1, day: 31).days), play: drag(150, by: -46),
      shows: "2028-02-29"),
  ]

  private func picker(_ mode: PickerView.Mode, _ value: Double?, on stage: Stage) -> PickerView {
    let picker = stage.add(PickerView(id: "p", frame: LocalRect(x: 0, y: 0, width: 300, height: 180)))
    picker.mode = mode
    picker.rows = ["zero", "one", "two", "three", "four"]
    if let value { picker.controlValue?.number = value }
    stage.window.layoutIfNeeded()
    return picker
  }

  @Test(arguments: rows) func `wheels turn as UIKit s do`(row: Row) {
    let stage = Stage()
    let picker = picker(row.mode, row.value, on: stage)
    var sent = 0
    picker.addAction(for: .valueChanged) { sent += 1 }
    row.play(stage)
    #expect(picker.shownValue == row.shows && picker.shownText == row.shows)
    #expect(sent == row.sent)
    for wheel in picker.wheels { #expect(wheel.position == Double(wheel.row), "each wheel rests on a row") }
    #expect(stage.dispatcher.deadline == nil, "at rest nothing is woken")
  }

  /// `UIDatePicker.setDate(_:animated:)`, `minimumDate`, `minuteInterval`.
  @Test func `hours and minutes go round under a mouse's wheel and under keys, and a date does not`() {
    let stage = Stage()
    let time = picker(.time, 59, on: stage)
    _ = time.wheels[1].turn(x: 0, y: -1, at: .zero)
    #expect(time.shownValue == "00:00")
    _ = time.wheels[0].turn(x: 0, y: 1, at: .zero)
    #expect(time.shownValue == "23:00")
    #expect(time.wheels[0].row(at: 25) == 1 && time.wheels[0].row(at: -1) == 23)
    for key in [KeyCode.tab, .enter, .right, .enter] { stage.press(key) }
    #expect(time.shownValue == "00:00")
    let date = picker(.date, nil, on: stage)
    #expect(!date.wheels[1].turn(x: 0, y: 1, at: .zero) && date.wheels[1].row(at: 12) == nil)
  }

  @Test func `a program sets the value, and the wheels follow`() throws {
    let stage = Stage()
    let picker = picker(.date, nil, on: stage)
    try picker.set([.init(key: "value", value: .text("2024-02-29"))])
    #expect(picker.wheels.map(\.row) == [124, 1, 28] && picker.shownValue == "2024-02-29")
    try picker.set([.init(key: "maximum", value: .text("2024-02-10"))])
    #expect(picker.shownValue == "2024-02-10")
    #expect(throws: PropertyError.self) { try picker.set([.init(key: "value", value: .text("2024-02-30"))]) }
    let clock = PickerView(id: "c", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
    let mode = try ViewSetting(.mode, .text("time"), for: .picker)
    let step = try ViewSetting(#require(ViewProperty.named("step")), .number(15), for: .picker)
    clock.apply([try ViewSetting(.value, .text("21:50"), for: .picker), step, mode])
    clock.layoutIfNeeded()
    #expect(clock.shownValue == "21:45" && clock.wheels.map(\.row) == [21, 3])
    #expect(clock.text(of: 3, in: 1) == "45" && clock.wheels[1].rowCount == 4)
    // Only a touch sends it.
    var sent = 0
    picker.addAction(for: .valueChanged) { sent += 1 }
    picker.controlValue?.number = 0
    #expect(sent == 0)
  }

  @Test func `days count as ISO 8601 has them`() {
    for (text, days) in [
      ("1970-01-01", 0), ("2000-02-29", 11_016), ("1969-12-31", -1), ("2100-03-01", 47_541),
      ("1900-03-01", -25_508), ("0001-01-01", -719_162),
    ] {
      #expect(CivilDate(text)?.days == days, "\(text)")
      #expect(CivilDate(days: days).text == text)
    }
    for text in ["2023-02-29", "1900-02-29", "2024-13-01", "24-01-01", "2024-1-1", "2024-01-01x", ""] {
      #expect(CivilDate(text) == nil, "\(text)")
    }
    for text in ["24:00", "12:60", "1200", "12:5", "-1:00", "+1:00"] {
      #expect(TimeOfDay(text) == nil, "\(text)")
    }
    #expect(TimeOfDay("7:05")?.text == "07:05")
  }

  @Test func `a wheel that fingers have touched keeps neither them nor the window`() {
    weak var window: Window?
    do {
      let stage = Stage()
      let picker = stage.add(PickerView(id: "picker", frame: LocalRect(x: 0, y: 0, width: 300, height: 180)))
      (picker.mode, picker.rows) = (.list, ["zero", "one", "two"])
      stage.window.layoutIfNeeded()
      Self.drag(150, by: -60)(stage)
      stage.frame((2, .began, 150, 90))
      stage.rest(seconds: 2)
      stage.frame((2, .cancelled, 150, 90))
      window = stage.window
    }
    #expect(window == nil)
  }
}
