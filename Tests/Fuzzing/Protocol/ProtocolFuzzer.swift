import DispatchFuzzing
import TouchHandlers
import TouchJSON
import TouchSystem

/// Senseless clients, by seeds: what they send is cut into lines and read, and what is sent to them is read
/// in pieces.
public enum ProtocolFuzzer {
  /// - Returns: the first rule that was broken, and how many requests were understood.
  public static func run(seed: UInt64) -> (fault: String?, messages: Int) {
    var random = RandomSource(seed: seed)
    let (fault, messages) = readLines(&random)
    return (fault ?? writeLines(&random), messages)
  }

  // MARK: Reading

  private static let samples = [
    #"{"type":"set","id":1,"view":"lamp","properties":{"background":"none","font":{"size":12}}}"#,
    #"{"type":"page","view":"screens","page":"home"}"#, #"{"type":"tree","id":"a","format":"text"}"#,
    #"{"type":"hit","x":1.5,"y":-2e3,"in":"ok","all":true,"explain":false}"#, #"{"type":"stats"}"#,
    #"{"type":"inject","phase":"began","finger":1,"x":10,"y":20}"#, #"{"type":"inject","phase":"ended"}"#,
    #"{"type":"subscribe","events":["touch","action"],"views":["ok","\u00e9"]}"#, #"{"type":"screenshot"}"#,
    #"{"type":"screen","id":2}"#,
    #"{"type":"ready","protocol":1,"wants":["began"]}"#, "", "   ", "[[[[[[[[[[", "\u{0}", "{\"type\":",
  ]
  private static let longest = 512

  /// What is read must not depend on where the bytes were cut.
  private static func readLines(_ random: inout RandomSource) -> (String?, Int) {
    let bytes = input(&random)
    var copy = random
    let once = lines(of: bytes, in: { _ in bytes.count })
    let inPieces = lines(of: bytes, in: { _ in Int.random(in: 1...40, using: &copy) })
    guard once == inPieces else { return ("the lines depend on how they arrive", 0) }
    var messages = 0
    for line in once {
      guard let line else { continue }
      if line.count >= longest { return ("a line of \(line.count) bytes was not refused", 0) }
      guard let json = line.withUnsafeBytes({ try? JSONReader.read($0) }) else { continue }
      // 1.0 is written as 1.
      guard (try? JSONReader.read(json.json))?.json == json.json else {
        return ("what was read reads otherwise", 0)
      }
      if (try? Request(json)) != nil { messages += 1 }
    }
    return (nil, messages)
  }

  private static func input(_ random: inout RandomSource) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var line = Array(samples[Int.random(in: 0..<samples.count, using: &random)].utf8)
      if random.oneIn(2) { mutate(&line, &random) }
      if random.oneIn(20) {
        line += [UInt8](repeating: 0x20, count: Int.random(in: 400...1500, using: &random))
      }
      bytes += line
      if !random.oneIn(30) { bytes.append(0x0a) }
    }
    return bytes
  }

  private static func mutate(_ line: inout [UInt8], _ random: inout RandomSource) {
    for _ in 0..<Int.random(in: 1...3, using: &random) where !line.isEmpty {
      let index = Int.random(in: 0..<line.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: line[index] = UInt8.random(in: 0...255, using: &random)
      case 1: line.remove(at: index)
      case 2: line.insert(UInt8.random(in: 0x20...0x7e, using: &random), at: index)
      default:
        let end = Int.random(in: index..<line.count, using: &random)
        line.insert(contentsOf: line[index...end], at: index)
      }
    }
  }

  /// Nil stands for a line that was too long.
  private static func lines(of bytes: [UInt8], in piece: (Int) -> Int) -> [[UInt8]?] {
    var reader = LineReader(longest: longest)
    var lines: [[UInt8]?] = []
    var done = 0
    while done < bytes.count {
      let wanted = piece(done)
      done += reader.read { room in
        let part = bytes[done...].prefix(min(room.count, wanted))
        room.copyBytes(from: part)
        return part.count
      }
      var step = LineReader.Step.line
      while step != .incomplete {
        step = reader.next { lines.append(Array($0)) }
        if step == .tooLong { lines.append(nil) }
      }
    }
    reader.rest { lines.append(Array($0)) }
    return lines
  }

  // MARK: Writing

  /// Each touch's changes arrive, in order; of its moves the last one before each change arrives; and what
  /// did not is counted.
  private static func writeLines(_ random: inout RandomSource) -> String? {
    var queue = OutputQueue()
    var sent: [[Int]] = [[], [], []]
    var moves: Set<Int> = []
    var (received, number, dropped): ([UInt8], Int, Int) = ([], 0, 0)
    func write(_ part: Int) {
      queue.write { bytes, _ in
        let taken = min(bytes.count, part)
        received += bytes.prefix(taken)
        return taken
      }
    }
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      let touch = Int.random(in: 0..<3, using: &random)
      let subject = OutputQueue.Subject(touch: touch)
      number += 1
      let isMove = !random.oneIn(4)
      queue.append(
        Array("\(touch) \(number)\n".utf8), as: isMove ? .move(of: subject) : .change(of: subject))
      sent[touch].append(number)
      if isMove { moves.insert(number) }
      if random.oneIn(3) { write(Int.random(in: 0...30, using: &random)) }
      dropped += queue.takeDropped()
    }
    write(.max)
    guard queue.isEmpty, queue.eventCount == 0 else { return "\(queue.count) bytes are left" }
    return check(received, sent: sent, moves: moves, dropped: dropped)
  }

  private static func check(_ received: [UInt8], sent: [[Int]], moves: Set<Int>, dropped: Int) -> String? {
    var seen: [[Int]] = [[], [], []]
    for line in received.split(separator: 0x0a) {
      let words = line.split(separator: 0x20).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      guard words.count == 2, seen.indices.contains(words[0]) else { return "a line is broken" }
      seen[words[0]].append(words[1])
    }
    for (sent, seen) in zip(sent, seen) {
      guard seen == seen.sorted(), Set(seen).count == seen.count else { return "out of order" }
      let kept = Set(seen)
      for (index, number) in sent.enumerated() where !kept.contains(number) {
        guard moves.contains(number) else { return "a change was left out" }
        guard index + 1 < sent.count, moves.contains(sent[index + 1]) else {
          return "a move was left out that none replaced"
        }
      }
    }
    let all = sent.joined().count
    let arrived = seen.joined().count
    return all - arrived == dropped ? nil : "\(all - arrived) were left out and \(dropped) counted"
  }
}
