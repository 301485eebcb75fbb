import ContactFuzzing
import DispatchFuzzing
import Glibc
import ProtocolFuzzing

// Plays random input to one part of touchtree:
//
//   fuzz contacts|dispatch|protocol COUNT [FIRST]      so many seeds, from the first one on (1)
//
//   contacts   senseless frames to the contact trackers: each contact begins and ends once
//   dispatch   random fingers to random trees with gestures: views get their touches in order, buttons lose no press
//   protocol   senseless bytes to the reader of the protocol, and senseless readers to its output queue
//
// It ends with status 1 at the first seed that breaks a rule, and prints it. One that traps is found by the seeds that were
// printed last.

/// One part of touchtree, and what plays to it.
struct Fuzzer {
  /// What one seed gave: how often each thing happened, and the rule that was broken.
  typealias Outcome = (counts: [Int], fault: String?)

  /// What is counted. Input in which nothing happens proves nothing.
  let counted: [String]
  /// Each of them has to happen more often than once for this many seeds.
  let seedsForOne: Int
  let run: (UInt64) -> Outcome
}

let fuzzers = [
  "contacts": Fuzzer(counted: ["contacts"], seedsForOne: 2) { seed in
    let result = ContactFuzzer.run(seed: seed)
    return ([result.contacts], result.fault)
  },
  "dispatch": Fuzzer(counted: ["presses of buttons", "delayed phases"], seedsForOne: 2) { seed in
    let result = DispatchFuzzer.run(seed: seed)
    return ([result.presses, result.delays], result.fault)
  },
  "protocol": Fuzzer(counted: ["requests understood"], seedsForOne: 4) { seed in
    let result = ProtocolFuzzer.run(seed: seed)
    return ([result.messages], result.fault)
  },
]

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().map { UInt64($0) }
guard let name = arguments.first, let fuzzer = fuzzers[name], let count = numbers.first ?? nil,
  numbers.count <= 2, let first = numbers.count > 1 ? numbers[1] : 1
else {
  print("usage: fuzz contacts|dispatch|protocol COUNT [FIRST]")
  exit(64)
}
var totals = fuzzer.counted.map { _ in 0 }
for seed in first..<first + count {
  if (seed - first) % 1_000_000 == 0 {
    print("\(name) from seed \(seed)")
    // A trap would take it along.
    fflush(nil)
  }
  let outcome = fuzzer.run(seed)
  for index in totals.indices { totals[index] += outcome.counts[index] }
  if let fault = outcome.fault {
    print("seed \(seed): \(fault)")
    exit(1)
  }
}
let seen = zip(totals, fuzzer.counted).map { "\($0) \($1)" }.joined(separator: ", ")
print("\(name): \(count) seeds, \(seen): no rule was broken")
exit(totals.allSatisfy { $0 > Int(count) / fuzzer.seedsForOne } ? 0 : 1)
