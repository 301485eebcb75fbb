import ContactFuzzing
import Glibc

// Plays sequences of senseless frames to the contact trackers:
//
//   fuzz-contacts COUNT [FIRST]      so many seeds, from the first one on (1)
//
// It ends with status 1 at the first sequence whose contacts are not whole, and says its seed. One that traps is found by
// the seeds that were printed last.

let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) }
guard let count = numbers.first ?? nil, numbers.count <= 2, let first = numbers.count > 1 ? numbers[1] : 1
else {
  print("usage: fuzz-contacts COUNT [FIRST]")
  exit(64)
}
var contacts = 0
for seed in first..<first + count {
  if (seed - first) % 1_000_000 == 0 {
    print("from seed \(seed)")
    // A trap would take it along.
    fflush(nil)
  }
  let result = ContactFuzzer.run(seed: seed)
  contacts += result.contacts
  if let fault = result.fault {
    print("seed \(seed): \(fault)")
    exit(1)
  }
}
print("\(count) sequences, \(contacts) contacts: each began and ended once")
// Sequences in which nothing happens prove nothing.
exit(contacts > Int(count) / 2 ? 0 : 1)
