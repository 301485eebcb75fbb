// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "lamp",
  products: [.library(name: "lamp", type: .dynamic, targets: ["lamp"])],
  targets: [
    // touchtree.h, as Swift imports it.
    .systemLibrary(name: "CTouchtree"),
    .target(
      name: "lamp",
      dependencies: ["CTouchtree"],
      // Links Swift's runtime into the plugin: a board has none.
      linkerSettings: [.unsafeFlags(["-static-stdlib"])]),
  ]
)
