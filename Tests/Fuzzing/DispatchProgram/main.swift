// Plays random fingers to random trees with gestures:
//
//   fuzz-dispatch COUNT [FIRST]      so many seeds, from the first one on (1)
//
// It ends with status 1 at the first sequence in which a view hears of its touches in the wrong order, or a button loses a
// press, and prints its seed.
import DispatchFuzzing
import Glibc

let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) }
guard let count = numbers.first ?? nil, numbers.count <= 2, let first = numbers.count > 1 ? numbers[1] : 1
else {
  print("usage: fuzz-dispatch COUNT [FIRST]")
  exit(64)
}
var presses = 0
var delays = 0
for seed in first..<first + count {
  let result = DispatchFuzzer.run(seed: seed)
  presses += result.presses
  delays += result.delays
  if let fault = result.fault {
    print("seed \(seed): \(fault)")
    exit(1)
  }
}
print(
  "\(count) sequences, \(presses) presses of buttons, \(delays) phases kept back: each in its order, none lost"
)
// Sequences in which nothing happens prove nothing.
exit(presses > Int(count) / 2 && delays > Int(count) / 2 ? 0 : 1)
