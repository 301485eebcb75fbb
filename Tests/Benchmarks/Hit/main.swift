import TouchCore

// Prints the table of README.md: what a hit test costs, with the index and without it, on the same points.

print("| tree | index | linear walk |")
print("|---|---|---|")

for count in [10, 1_000, 10_000, 100_000] {
  var tree = Scenes.flat(count)
  report("\(count) flat siblings", tree)
  tree = Scenes.flat(count, moved: true)
  report("\(count) flat siblings, one moved before every probe", tree)
}
report("10000 flat siblings, each turned by 30°", Scenes.flat(10_000, turned: true))
report("10000 flat siblings, each in front of the one before by half", Scenes.stacked(10_000))
report("nested: 100 × 100", Scenes.nested([100, 100]))
report("nested: 10 × 10 × 10 × 10", Scenes.nested([10, 10, 10, 10]))
report("a chain 1000 deep", Scenes.chain(1_000))
