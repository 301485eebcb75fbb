// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Notes",
  dependencies: [.package(name: "touchtree", path: "../..")],
  targets: [
    .executableTarget(name: "Notes", dependencies: [.product(name: "TouchKit", package: "touchtree")]),
    .testTarget(name: "NotesTests", dependencies: ["Notes"]),
  ],
  swiftLanguageModes: [.v6]
)
