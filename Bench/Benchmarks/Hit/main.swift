import TouchCore

// Prints the table of README.md: what a hit test costs, with the index and without it, on the same points.
// With an argument only the rows whose names contain it.

let rows: [(name: String, make: () -> BenchmarkScene)] =
  [10, 20, 50, 100, 1_000, 10_000, 100_000].flatMap { count in
    [
      ("\(count) flat siblings", { Scenes.flat(count) }),
      ("\(count) flat siblings, one moved before every probe", { Scenes.flat(count, moved: true) }),
    ]
  } + [
    ("10000 flat siblings, each turned by 30°", { Scenes.flat(10_000, turned: true) }),
    ("10000 flat siblings, each in front of the one before by half", { Scenes.stacked(10_000) }),
    ("nested: 100 × 100", { Scenes.nested([100, 100]) }),
    ("nested: 10 × 10 × 10 × 10", { Scenes.nested([10, 10, 10, 10]) }),
    ("a chain 1000 deep", { Scenes.chain(1_000) }),
  ]

print("| tree | all points | on a subview | on none | linear walk |")
print("|---|---|---|---|---|")
for row in rows where CommandLine.arguments.count < 2 || row.name.contains(CommandLine.arguments[1]) {
  report(row.name, row.make())
}
