import AttackFuzzing
import ContactFuzzing
import DispatchFuzzing
import ExpressionFuzzing
import Glibc
import ProtocolFuzzing
import TouchSystem

// Plays random input to one part of touchtree:
//
//   fuzz PART COUNT [FIRST]      so many seeds, from the first one on (1, or FUZZ_SEED of the environment)
//
//   contacts        senseless frames to the contact trackers: each contact begins and ends once
//   dispatch        random fingers to random trees with gestures: views get their touches in order, buttons
//   lose no press lengths         tiny, huge and odd lengths on views, while fingers turn pages, scroll, step
//   and type: all comes to rest, and each
//                   tenth sequence is painted, with a bounded number of texts and parts
//   expressions     senseless expressions to their reader: an error in its place, or a value
//   protocol        senseless bytes to the reader of the protocol, and senseless readers to its output queue
//   configurations  the configurations that touchtree comes with, changed: refused in their place, or laid
//   out and touched recordings      recordings of every format, changed: refused with their line, or played
//   pictures        PNG files of every kind, changed: refused, or decoded
//   texts           texts of all scripts and none: painted in their views, and printed on one line
//   lines           requests, words of process handlers and MQTT messages, changed: the daemon answers the
//   next client bounds          requests as large as the bounds of docs/limits.md, and larger: refused or
//   done, in little time and memory commands        command lines of every subcommand, changed: each ends
//   with a documented status and says why
//
// It ends with status 1 at the first seed that breaks a rule, traps, or takes more time or memory than
// Limits.swift and the table below allow, and prints the seed. What is changed lies in the folder of
// touchtree's sources: where this was built, or FUZZ_CORPUS.

/// One part of touchtree, and what plays to it.
struct Fuzzer {
  /// The result of one seed: how often each thing happened, and the rule that was broken.
  typealias Outcome = (counts: [Int], fault: String?)

  /// The counted events. Input in which nothing happens proves nothing.
  let counted: [String]
  /// Each of them has to happen more often than once for this many seeds.
  let seedsForOne: Int
  /// The memory that any input may take beyond the first one, in KiB.
  var mostMemory = 32 << 10
  let run: (UInt64) -> Outcome
}

let fuzzers: [String: () throws -> Fuzzer] = [
  "contacts": {
    Fuzzer(counted: ["contacts"], seedsForOne: 2) { seed in
      let result = ContactFuzzer.run(seed: seed)
      return ([result.contacts], result.fault)
    }
  },
  "dispatch": {
    Fuzzer(counted: ["presses of buttons", "delayed phases"], seedsForOne: 2) { seed in
      let result = DispatchFuzzer.run(seed: seed)
      return ([result.presses, result.delays], result.fault)
    }
  },
  "lengths": {
    let attack = try LengthAttack()
    // What texts and pictures of shapes a painter keeps has a bound, which it reaches.
    return Fuzzer(counted: ["properties set", "pages turned"], seedsForOne: 1, mostMemory: 96 << 10) { seed in
      let result = seed % 10 == 0 ? attack.run(seed: seed) : LengthFuzzer.run(seed: seed)
      return ([result.changes, result.turns], result.fault)
    }
  },
  "expressions": {
    Fuzzer(counted: ["expressions read"], seedsForOne: 50) { seed in
      let result = ExpressionFuzzer.run(seed: seed)
      return ([result.read], result.fault)
    }
  },
  "protocol": {
    Fuzzer(counted: ["requests understood"], seedsForOne: 4) { seed in
      let result = ProtocolFuzzer.run(seed: seed)
      return ([result.messages], result.fault)
    }
  },
  "configurations": {
    Fuzzer(counted: ["good files"], seedsForOne: 6, mostMemory: 64 << 10) { seed in
      let result = ConfigurationAttack.run(seed: seed)
      return ([result.isGood ? 1 : 0], result.fault)
    }
  },
  "recordings": {
    Fuzzer(counted: ["played"], seedsForOne: 10) { seed in
      let result = RecordingAttack.run(seed: seed)
      return ([result.isPlayed ? 1 : 0], result.fault)
    }
  },
  "pictures": {
    // The largest that is read has 4096 × 4096 pixels.
    Fuzzer(counted: ["decoded"], seedsForOne: 4, mostMemory: 96 << 10) { seed in
      let result = PictureAttack.run(seed: seed)
      return ([result.isRead ? 1 : 0], result.fault)
    }
  },
  "texts": {
    let attack = try TextAttack()
    return Fuzzer(counted: ["painted"], seedsForOne: 3, mostMemory: 112 << 10) { seed in
      let result = attack.run(seed: seed)
      return ([result.isPainted ? 1 : 0], result.fault)
    }
  },
  "lines": {
    let attack = try LineAttack()
    return Fuzzer(counted: ["lines understood"], seedsForOne: 10) { seed in
      let result = attack.run(seed: seed)
      return ([result.isUnderstood ? 1 : 0], result.fault)
    }
  },
  "bounds": {
    let attack = try BoundAttack()
    return Fuzzer(counted: ["done", "refused"], seedsForOne: 10) { seed in
      let result = attack.run(seed: seed)
      return ([result.isDone ? 1 : 0, result.isDone ? 0 : 1], result.fault)
    }
  },
  "commands": {
    let attack = try CommandLineAttack()
    return Fuzzer(counted: ["commands done"], seedsForOne: 20) { seed in
      let result = attack.run(seed: seed)
      return ([result.isDone ? 1 : 0], result.fault)
    }
  },
]

let arguments = ProgramArguments.line.dropFirst()
let numbers = arguments.dropFirst().map { UInt64($0) }
let seedOfTheEnvironment = getenv("FUZZ_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
guard let name = arguments.first, let make = fuzzers[name], let count = numbers.first ?? nil,
  numbers.count <= 2, let first = numbers.count > 1 ? numbers[1] : seedOfTheEnvironment
else {
  print("usage: fuzz \(fuzzers.keys.sorted().joined(separator: "|")) COUNT [FIRST]")
  exit(64)
}
if !["contacts", "dispatch", "expressions", "lengths", "protocol"].contains(name), !Corpus.isThere {
  print("fuzz: \(Corpus.package) is not the folder of touchtree's sources; name it in FUZZ_CORPUS")
  exit(66)
}
setenv("FONTCONFIG_FILE", "\(Corpus.package)/Tests/Fonts/fonts.conf", 0)
Limits.watch()
let fuzzer = try make()
var totals = fuzzer.counted.map { _ in 0 }
for seed in first..<first + count {
  if seed > first, (seed - first) % 1_000_000 == 0 {
    print("\(name) from seed \(seed)")
    fflush(nil)
  }
  Limits.begin(seed)
  let outcome = fuzzer.run(seed)
  for index in totals.indices { totals[index] += outcome.counts[index] }
  if let fault = outcome.fault ?? Limits.excess(of: fuzzer.mostMemory, isFirst: seed == first) {
    print("\(name), seed \(seed): \(fault)\nagain: fuzz \(name) 1 \(seed)")
    exit(1)
  }
}
let seen = zip(totals, fuzzer.counted).map { "\($0) \($1)" }.joined(separator: ", ")
print("\(name): \(count) seeds from \(first), \(seen): no rule was broken")
exit(totals.allSatisfy { $0 > Int(count) / fuzzer.seedsForOne } ? 0 : 1)
