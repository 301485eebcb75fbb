import FolderSupport
import Glibc
import Testing

@testable import TouchCore
@testable import TouchInput
@testable import TouchRecordings
@testable import TouchSystem

@Suite struct RecordingErrorTests {
  static let event = "E: 1.000000 0003 0000 0005\n"
  static let end = "E: 1.000000 0000 0000 0000\n"

  /// What is wrong, the line (the header has seven), whether the file is cut there, words of the message.
  static let broken: [(String, Int?, Bool, String)] = [
    (event + "E: 1.000000 0003 00", 9, true, "cut off here: the value is missing"),
    (event + "E: 1.0", 9, true, "the event type is missing"),
    (event + "E:", 9, true, "the time is missing"),
    (event + "E: 1.000000 0003\n" + end, 9, false, "the event code is missing"),
    ("E: 1.000000 0003 0000 99999999999\n" + end, 8, false, "99999999999"),
    ("E: 1.000000 0003 0000 2147483648\n" + end, 8, false, "not a whole number of 32 bits"),
    ("E: 1.000000 0003 0000 1e3\n" + end, 8, false, "1e3"),
    ("E: 1.000000 0003 0000 0x5\n" + end, 8, false, "0x5"),
    ("E: 1.000000 0003 0000 5 6\n" + end, 8, false, "more on the line"),
    ("E: 1.000000 00zz 0000 5\n" + end, 8, false, "the event type is \"00zz\""),
    ("E: 1.000000 00003 0000 5\n" + end, 8, false, "the event type is \"00003\""),
    ("E: 1.000000 0020 0000 5\n" + end, 8, false, "no event type 32"),
    ("E: 1.000000 0003 0300 5\n" + end, 8, false, "no event code 768"),
    ("E: -1.000000 0003 0000 5\n" + end, 8, false, "the time is \"-1.000000\""),
    ("E: 1 0003 0000 5\n" + end, 8, false, "not seconds with a fraction"),
    ("E: 1.0000000 0003 0000 5\n" + end, 8, false, "not seconds with a fraction"),
    ("E: nan.0 0003 0000 5\n" + end, 8, false, "nan.0"),
    ("E: 99999999999999999999.0 0003 0000 5\n" + end, 8, false, "the time is"),
    ("E: 9223372036854775807.0 0003 0000 5\n" + end, 8, false, "later than 9000000000 seconds"),
    ("E: 9223372036854.775807 0003 0000 5\n" + end, 8, false, "later than 9000000000 seconds"),
    ("E: 9000000001.0 0003 0000 5\n" + end, 8, false, "later than 9000000000 seconds"),
    ("A: 02 0 10 0\n" + end, 8, false, "the flat is missing"),
    ("A: 40 0 10 0 0 0\n" + end, 8, false, "no axis 64"),
    ("I: 0003 0eef\n" + end, 8, false, "the product is missing"),
    ("B: 03 0g\n" + end, 8, false, "a byte of the mask is \"0g\""),
    ("N: Another\n" + end, 8, false, "a second device"),
    ("hello\n" + end, 8, false, "not a line of an evemu"),
    (event + "\u{1b}[2J\n", 9, false, "not a line of an evemu"),
    (event, 8, true, "the last frame has no SYN_REPORT; record again, or remove its event"),
    (event + end + event + event, 11, true, "remove its 2 events"),
    ("B: 03 00 00 00 00 00 00 00 00 01\n" + end, 8, false, "the mask has bit 72"),
    ("B: 20 01\n" + end, 8, false, "no event type 32"),
    ("", nil, false, "no whole frame"),
    ("# made by", 8, true, "no whole frame"),
  ]

  @Test(arguments: broken.indices)
  func `a broken recording says which line is wrong, and why`(_ index: Int) {
    let (lines, line, isCut, words) = Self.broken[index]
    let error = #expect(throws: Failure.self) {
      try Recording(text: OwnRecordings.header + lines, file: "broken.events")
    }
    #expect(error?.status == .badRecording)
    #expect(error?.message.contains("seems cut off here") == isCut, "\(lines)")
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix(line.map { "broken.events:\($0): " } ?? "broken.events: ") == true)
  }

  @Test(arguments: [
    ("# libinput record\nversion: 1\nndevices: 1\n", "has no devices"),
    ("version: 1\nwindow: {id: window}\n", "no libinput recording"),
    ("{\"frames\": []}\n", "no libinput recording"),
    ("\u{0}\u{1}\u{2}ELF", "not a text file"),
    ("Event: time 1.0, type 3\n", "not a recording of evemu, libinput or hid-tools"),
  ])
  func `another format is called by its name`(_ text: String, _ words: String) {
    let error = #expect(throws: Failure.self) { try Recording(text: text, file: "r") }
    #expect(error?.status == .badRecording)
    #expect(error?.message.contains(words) == true)
  }

  @Test func `events without a device say that the description is missing`() {
    let error = #expect(throws: Failure.self) {
      try Recording(text: Self.event + Self.end, file: "r")
    }
    #expect(error?.message.contains("does not say what device it is of") == true)
  }

  @Test func `an incomplete description is an error`() {
    let error = #expect(throws: Failure.self) {
      try Recording(text: "N: Panel\n" + Self.event + Self.end, file: "r")
    }
    #expect(error?.message.contains("lacks") == true)
  }

  @Test(arguments: [
    ("/no/such/recording.events", TouchSystem.ExitStatus.noSuchFile), ("/dev", .badRecording),
    ("/dev/null", .badRecording), ("/dev/zero", .badRecording),
  ])
  func `a path that is not a recording is an error`(_ path: String, _ status: TouchSystem.ExitStatus) {
    let error = #expect(throws: Failure.self) { try Recording(path: path) }
    #expect(error?.status == status)
    #expect(error?.message.hasPrefix("\(path): ") == true)
  }

  @Test func `a description alone points to its events`() {
    let path = OwnRecordings.folder + "/Test Panel v1.2.desc"
    let error = #expect(throws: Failure.self) { try Recording(path: path) }
    #expect(error?.message.contains("give the .events file") == true)
  }

  @Test func `an error in the .desc file is reported with that file's name`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.event + Self.end, to: "panel.tap.events")
    try folder.write("N: Panel\nI: 1 2 3\n", to: "panel.desc")
    let error = #expect(throws: Failure.self) {
      try Recording(path: folder.path + "/panel.tap.events")
    }
    #expect(error?.message.hasPrefix("\(folder.path)/panel.desc:2: ") == true)
  }

  @Test func `an empty file is called empty`() {
    let error = #expect(throws: Failure.self) { try Recording(text: "", file: "r") }
    #expect(error?.message.contains("empty") == true)
  }

  @Test func `a file beyond the limit is not read into memory`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "large.events")
    #expect(truncate(path, RecordingFile.limit + 1) == 0)
    let error = #expect(throws: Failure.self) { try Recording(path: path) }
    #expect(error?.message.contains("256 MiB") == true)
  }
}
