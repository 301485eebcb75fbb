import Glibc
import ProtocolFuzzing

// Feeds senseless bytes to the reader of the protocol, and senseless readers to its output queue:
//
//   fuzz-protocol COUNT [FIRST]      so many seeds, from the first one on (1)
//
// It ends with status 1 at the first seed that breaks a rule, and prints it. One that traps is found by the seeds that were
// printed last.

let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) }
guard let count = numbers.first ?? nil, numbers.count <= 2, let first = numbers.count > 1 ? numbers[1] : 1
else {
  print("usage: fuzz-protocol COUNT [FIRST]")
  exit(64)
}
var messages = 0
for seed in first..<first + count {
  if (seed - first) % 1_000_000 == 0 {
    print("from seed \(seed)")
    // A trap would take it along.
    fflush(nil)
  }
  let result = ProtocolFuzzer.run(seed: seed)
  messages += result.messages
  if let fault = result.fault {
    print("seed \(seed): \(fault)")
    exit(1)
  }
}
print("\(count) inputs, \(messages) requests understood: every line read or refused, every queue whole")
// Inputs of which nothing is understood prove nothing.
exit(messages > Int(count) / 4 ? 0 : 1)
