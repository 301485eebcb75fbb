import Testing

@testable import TouchCore
@testable import TouchInput

@Suite struct FrameAssemblerTests {
  static let x = RawEvent(type: EventCode.abs, code: EventCode.absX, value: 5)
  static let end = RawEvent(type: EventCode.syn, code: EventCode.synReport, value: 0)

  @Test func `a frame is whole at its end, which is not part of it but gives it its time`() {
    var assembler = FrameAssembler()
    let first = assembler.add(Self.x, at: Timestamp(microseconds: 1))
    let second = assembler.add(Self.end, at: Timestamp(microseconds: 9))
    #expect(!first && second)
    #expect(assembler.frame.events == [Self.x])
    #expect(assembler.frame.time.microseconds == 9)
    #expect(assembler.frame.cause == .report)
  }

  @Test func `the end of a protocol A contact does not end the frame`() {
    var assembler = FrameAssembler()
    let contactEnd = RawEvent(type: EventCode.syn, code: EventCode.synMTReport, value: 0)
    let isWhole = assembler.add(contactEnd, at: .zero)
    #expect(!isWhole)
    #expect(assembler.frame.events == [contactEnd])
  }

  @Test func `the next frame starts empty, in the same storage, as a report`() {
    var assembler = FrameAssembler()
    _ = assembler.add(Self.x, at: .zero)
    assembler.mark(.resync)
    let storage = assembler.frame.events.withUnsafeBufferPointer { $0.baseAddress }
    assembler.removeAll()
    #expect(assembler.isEmpty)
    #expect(assembler.frame.cause == .report)
    _ = assembler.add(Self.x, at: .zero)
    #expect(assembler.frame.events.withUnsafeBufferPointer { $0.baseAddress } == storage)
  }
}
