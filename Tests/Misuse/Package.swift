// swift-tools-version: 6.3
import PackageDescription

// Programs that must not compile: what TouchKit keeps on the loop's thread, used elsewhere. Each line that
// the compiler has to refuse ends in `// refused`; scripts/examples compares them with its errors.
let package = Package(
  name: "Misuse",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: ["Isolation", "Captures", "Actors"].map {
    .executableTarget(name: $0, dependencies: [.product(name: "TouchKit", package: "touchtree")])
  },
  swiftLanguageModes: [.v6]
)
