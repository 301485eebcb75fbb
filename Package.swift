// swift-tools-version: 6.3
import PackageDescription

// Five parts, each with a list of targets: the product (Sources, Tests), what measures touchscreens (Instrument), the MQTT client
// (MQTT), what helps while a panel is written (Preview), and what tries and measures all of them (Bench). The product needs none of the
// other four.
//
// One-way imports: touchtree → {TouchDaemon, TouchTools} → TouchInspection → {TouchKit → {TouchInput, TouchRender, TouchOutput},
// TouchConfig, TouchHandlers} → {TouchYAML, TouchJSON, TouchPixels} → TouchSystem → TouchExpressions → TouchViews → TouchCore.
// TouchRecordings stands on TouchInput and TouchYAML. touchtree-instrument → TouchInstruments → {TouchTools, TouchMeasure};
// touchtree-mqtt → TouchMQTT → TouchHandlers; touchtree-preview → TouchPreview → TouchTools.
// `make` builds with --explicit-target-dependency-import-check error, so a target can import only what it lists.

// A release does not check at run time that accesses to a variable do not overlap: the checks would be a large part
// of a tap. A debug build, in which the tests run, checks every access. SwiftPM has no setting for it, hence
// the unsafe flag; since 6.2 a package that depends on TouchCore may use a product that has one.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

// What reads arguments and files, serves tools, or waits for other programs is built for size: the program may have 16 MiB, and
// the way of a touch to the glass is not in it.
let small = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// A static program exports every symbol, which keeps them all, and its relocations are 1.2 MB: the linker drops the former and
// packs the latter (glibc 2.36, Debian 12). It is the one that comes with Swift. SwiftPM has no setting for any of the three.
let lean: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
    .when(configuration: .release))
]

// A plugin brings what it needs of Swift's runtime: --static-swift-stdlib is for executables alone, and SwiftPM has no
// setting for libraries, hence the unsafe flags.
let swiftPlugin: [LinkerSetting] = [.unsafeFlags(["-static-stdlib"])]
// What is in C needs nothing of the runtime. Swift's driver, which links it, would add a start file and the libraries, which makes a
// program as slow to start as one in Swift.
let cAlone: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib", "-nostartfiles", "-Xlinker", "--as-needed"])
]

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let memoryLogging = Target.Dependency.product(name: "InMemoryLogging", package: "swift-log")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// MARK: The product: the daemon, its command line, and TouchKit

let product: [Target] = [
  // C libraries: a module map and one header each. Each has exactly one importer.
  .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
  .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
  .systemLibrary(name: "CXkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
  .systemLibrary(name: "CPixman", pkgConfig: "pixman-1", providers: [.apt(["libpixman-1-dev"])]),
  .systemLibrary(name: "CFcft", providers: [.apt(["libfcft-dev"])]),
  .systemLibrary(name: "CFribidi", providers: [.apt(["libfribidi-dev"])]),
  .systemLibrary(name: "CUnibreak", providers: [.apt(["libunibreak-dev"])]),
  .systemLibrary(name: "CQrencode", providers: [.apt(["libqrencode-dev"])]),
  .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
  .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
  .systemLibrary(name: "CJPEG", providers: [.apt(["libjpeg62-turbo-dev"])]),
  .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
  .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),

  // Kernel interfaces that Swift cannot import by itself, one submodule for each module that needs some.
  .target(name: "CLinux"),
  // Headers of libdrm-dev; the library is loaded when KMS is asked for.
  .target(name: "CDrm"),
  .target(name: "CTouchtree"),

  // The touch model: pure Swift, imports nothing.
  .target(
    name: "TouchCore", swiftSettings: strict,
    // Rounding, in a debug build.
    linkerSettings: [.linkedLibrary("m")]),
  // Controls, scroll views, stacks, and what can be set of views: pure Swift, imports the touch model alone.
  .target(
    name: "TouchViews", dependencies: ["TouchCore"],
    resources: [.embedInCode("Icons/own-icons.txt"), .embedInCode("Keyboards/shipped-layouts.txt")],
    swiftSettings: strict),
  // What stands in braces: expressions, named values, and the properties that follow them. Pure Swift.
  .target(name: "TouchExpressions", dependencies: ["TouchCore", "TouchViews"], swiftSettings: strict),

  // What the modules in the middle stand on: system calls, YAML text, and pictures in memory.
  .target(
    name: "TouchSystem", dependencies: ["TouchCore", "CLinux", "CUdev", logging, system],
    swiftSettings: strict,
    // The main queue; Swift's runtime has it in every program.
    linkerSettings: [.linkedLibrary("dispatch")]),
  .target(name: "TouchJSON", dependencies: ["CJansson", "TouchSystem"], swiftSettings: strict),
  .target(name: "TouchYAML", dependencies: ["CYAML", "TouchCore", "TouchSystem"], swiftSettings: small),
  .target(
    name: "TouchPixels",
    dependencies: [
      "TouchCore", "TouchViews", "TouchSystem", "CFreeType", "CPixman", "CPNG", "CJPEG", system,
    ],
    // Optimised in a debug build too: the tests paint millions of pixels, and it is a third of their time; a program of TouchKit's
    // moves smoothly while it is developed.
    swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]),

  // The modules in the middle. They never import each other.
  .target(
    name: "TouchInput",
    dependencies: ["TouchCore", "TouchSystem", "CEvdev", "CLinux", "CXkbcommon", system],
    swiftSettings: strict),
  // What devices did, in files.
  .target(
    name: "TouchRecordings", dependencies: ["TouchCore", "TouchInput", "TouchSystem", "TouchYAML", system],
    swiftSettings: strict),
  .target(
    name: "TouchRender",
    dependencies: [
      "TouchCore", "TouchViews", "TouchPixels", "TouchSystem", "CFcft", "CFribidi", "CUnibreak", "CQrencode",
      system,
    ],
    swiftSettings: strict),
  .target(
    name: "TouchOutput",
    dependencies: ["TouchCore", "TouchViews", "TouchPixels", "TouchSystem", "CLinux", "CDrm", system],
    swiftSettings: strict),
  .target(
    name: "TouchConfig",
    dependencies: [
      "TouchCore", "TouchViews", "TouchExpressions", "TouchSystem", "TouchJSON", "TouchYAML", system,
    ],
    // The themes that are built in are those of config/themes.
    resources: ["dark", "light"].map { .embedInCode("Themes/\($0).yaml") },
    swiftSettings: small),
  .target(
    name: "TouchHandlers",
    dependencies: [
      "TouchCore", "TouchViews", "TouchExpressions", "TouchSystem", "TouchJSON", "CTouchtree", "CLinux",
      logging, system,
    ],
    swiftSettings: small),

  // What ties them together for a program: a window on a display, devices, and the loop.
  .target(
    name: "TouchKit",
    dependencies: [
      "TouchCore", "TouchViews", "TouchSystem", "TouchPixels", "TouchInput", "TouchRender", "TouchOutput",
      logging, system,
    ],
    swiftSettings: strict,
    // For every program that is linked with it.
    linkerSettings: lean),
  // The views of a file in a program: design and code apart.
  .target(
    name: "TouchKitYAML", dependencies: ["TouchKit", "TouchConfig", "TouchCore", "TouchSystem"],
    swiftSettings: small),

  // A tree that a file describes: its layout, what is asked of it, recordings that are played into it, and its traces.
  .target(
    name: "TouchInspection",
    dependencies: [
      "TouchKit", "TouchCore", "TouchViews", "TouchExpressions", "TouchSystem", "TouchJSON", "TouchPixels",
      "TouchInput", "TouchRecordings", "TouchRender", "TouchOutput", "TouchConfig", "TouchHandlers",
      histogram, system,
    ],
    swiftSettings: strict),
  // The daemon, which adds a file, handlers and clients.
  .target(
    name: "TouchDaemon",
    dependencies: [
      "TouchInspection", "TouchKit", "TouchCore", "TouchViews", "TouchExpressions", "TouchSystem",
      "TouchJSON", "TouchPixels", "TouchInput", "TouchRecordings", "TouchRender", "TouchOutput",
      "TouchConfig", "TouchHandlers", "CLinux", logging, system,
    ],
    swiftSettings: strict),
  // Commands that need no daemon, and the arguments that they have in common with others.
  .target(
    name: "TouchTools",
    dependencies: [
      "TouchInspection", "TouchKit", "TouchCore", "TouchViews", "TouchExpressions", "TouchSystem",
      "TouchJSON", "TouchPixels", "TouchInput", "TouchRecordings", "TouchRender", "TouchOutput",
      "TouchConfig", "TouchHandlers", arguments, system,
    ],
    // What `touchtree new` writes. The samples and touchtree.h are links: there is one of each.
    resources: [
      "README.md", "touchtree.yaml", "rehearsal.yaml", "settings.json", "greeter.py", "touchtree.h", "bell.c",
      "Package.swift",
      "module.modulemap", "Lamp.swift",
    ].map { .embedInCode("New/Starter/\($0)") },
    swiftSettings: small),

  // What a program does with its arguments, its errors and its exit status.
  .target(
    name: "TouchCommand", dependencies: ["TouchSystem", "TouchViews", arguments, system], swiftSettings: small
  ),

  .executableTarget(
    name: "touchtree",
    dependencies: [
      "TouchCommand", "TouchTools", "TouchDaemon", "TouchInspection", "TouchKit", "TouchCore", "TouchViews",
      "TouchExpressions", "TouchSystem", "TouchJSON", "TouchPixels", "TouchInput", "TouchRecordings",
      "TouchRender", "TouchOutput", "TouchConfig", "TouchHandlers", arguments, logging, system,
    ],
    swiftSettings: small, linkerSettings: lean),

  // Sample plugins: they know the header and nothing else.
  .target(
    name: "SampleBell", dependencies: ["CTouchtree"], path: "Sources/Samples/Bell",
    linkerSettings: cAlone),
  .target(
    name: "SampleLamp", dependencies: ["CTouchtree"], path: "Sources/Samples/Lamp", swiftSettings: strict,
    linkerSettings: swiftPlugin),
]

// MARK: Its tests

let productTests: [Target] = [
  // A folder of a test's own.
  .target(
    name: "FolderSupport", dependencies: ["TouchSystem", system], path: "Tests/FolderSupport",
    swiftSettings: strict),
  // What many kinds of devices declare, for the tests of devices and of recordings.
  .target(
    name: "DeviceSupport", dependencies: ["TouchInput", "TouchCore"], path: "Tests/DeviceSupport",
    swiftSettings: strict),
  // A window that is touched, and what its views get, for the tests of touches and of views.
  .target(
    name: "StageSupport", dependencies: ["TouchCore", "TouchViews"], path: "Tests/StageSupport",
    swiftSettings: strict),
  // Trees and golden pictures for the tests of rendering and output.
  .target(
    name: "PictureSupport", dependencies: ["TouchRender", "TouchPixels", "TouchCore", "TouchViews"],
    path: "Tests/PictureSupport", exclude: ["Fixtures"], swiftSettings: strict),

  .target(
    name: "ContactFuzzing", dependencies: ["TouchInput", "TouchCore"], path: "Tests/Fuzzing/Contacts",
    swiftSettings: strict),
  .target(
    name: "DispatchFuzzing", dependencies: ["TouchCore", "TouchViews"], path: "Tests/Fuzzing/Dispatch",
    swiftSettings: strict),
  .target(
    name: "ExpressionFuzzing", dependencies: ["DispatchFuzzing", "TouchExpressions", "TouchViews"],
    path: "Tests/Fuzzing/Expressions", swiftSettings: strict),
  .target(
    name: "ProtocolFuzzing",
    dependencies: ["TouchHandlers", "TouchSystem", "TouchJSON", "DispatchFuzzing"],
    path: "Tests/Fuzzing/Protocol", swiftSettings: strict),

  .testTarget(
    name: "TouchCoreTests",
    dependencies: [
      "StageSupport", "TouchCore", "TouchViews", "TouchJSON", "TouchSystem", "DispatchFuzzing",
    ],
    exclude: ["Fixtures"],
    swiftSettings: strict),
  .testTarget(
    name: "TouchViewsTests", dependencies: ["StageSupport", "TouchCore", "TouchViews", "DispatchFuzzing"],
    swiftSettings: strict),
  .testTarget(
    name: "TouchExpressionsTests",
    dependencies: ["TouchExpressions", "TouchCore", "TouchViews", "ExpressionFuzzing"],
    swiftSettings: strict),
  .testTarget(
    name: "TouchInputTests",
    dependencies: [
      "DeviceSupport", "FolderSupport", "TouchInput", "TouchRecordings", "TouchSystem", "TouchCore",
      "ContactFuzzing", "DispatchFuzzing", system,
    ],
    exclude: ["Recordings"],
    swiftSettings: strict),
  .testTarget(
    name: "TouchRenderTests",
    dependencies: [
      "PictureSupport", "TouchRender", "TouchPixels", "TouchSystem", "TouchCore", "TouchViews",
    ],
    exclude: ["Golden"], swiftSettings: strict),
  .testTarget(
    name: "TouchOutputTests",
    dependencies: [
      "PictureSupport", "FolderSupport", "TouchOutput", "TouchRender", "TouchPixels", "TouchCore",
      "TouchViews", "TouchSystem", "CLinux", "CDrm", system,
    ],
    exclude: ["Golden"], swiftSettings: strict),
  .testTarget(
    name: "TouchConfigTests",
    dependencies: [
      "TouchConfig", "TouchYAML", "TouchCore", "TouchViews", "TouchExpressions", "TouchRehearsal", system,
    ],
    swiftSettings: strict),
  .testTarget(
    name: "TouchHandlersTests",
    dependencies: [
      "FolderSupport", "ProtocolFuzzing", "TouchHandlers", "TouchSystem", "TouchJSON", "TouchCore",
      "TouchViews", "TouchExpressions", "CTouchtree", logging, memoryLogging,
    ],
    exclude: ["Fixtures"], swiftSettings: strict),
  .testTarget(name: "TouchKitTests", dependencies: ["TouchKit"], swiftSettings: strict),
  .testTarget(
    name: "TouchKitYAMLTests", dependencies: ["TouchKit", "TouchKitYAML"], swiftSettings: strict),
  .testTarget(
    name: "TouchDaemonTests",
    dependencies: [
      "DispatchFuzzing", "PictureSupport", "TouchDaemon", "TouchInspection", "TouchKit", "TouchTools",
      "TouchConfig", "TouchRender", "TouchOutput", "TouchPixels", "TouchInput", "TouchRecordings",
      "TouchJSON", "TouchHandlers", "TouchSystem", "TouchYAML", "TouchCore", "TouchViews",
      "TouchExpressions", logging, memoryLogging,
    ],
    exclude: ["Golden"], swiftSettings: strict),
]

// MARK: What measures, records and repairs touchscreens: Instrument/README.md

let instrument: [Target] = [
  // The commit of a release, for the reports: `make release` puts it into the environment.
  .target(
    name: "CBuild", path: "Instrument/Sources/CBuild",
    cSettings: Context.environment["TOUCHTREE_COMMIT"].flatMap {
      $0.isEmpty ? nil : [.define("TOUCHTREE_COMMIT", to: $0)]
    }),
  // What a panel really does: figures of device frames, and limits. Pure computation.
  .target(
    name: "TouchMeasure", dependencies: ["TouchCore", "TouchInput", "TouchRecordings"],
    path: "Instrument/Sources/TouchMeasure",
    // A debug build is optimised, too: its tests judge thousands of modelled panels.
    swiftSettings: small + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
  .target(
    name: "TouchInstruments",
    dependencies: [
      "CBuild", "TouchMeasure", "TouchTools", "TouchInspection", "TouchKit", "TouchCore", "TouchViews",
      "TouchExpressions", "TouchSystem", "TouchJSON", "TouchYAML", "TouchPixels", "TouchInput",
      "TouchRecordings", "TouchRender", "TouchOutput", "TouchConfig", "CLinux", logging, system,
    ],
    path: "Instrument/Sources/TouchInstruments",
    // The profiles that `touchtree test` brings are those of config/profiles.
    resources: ["chromeos", "hlk", "iec62908"].map { .embedInCode("Test/Profiles/\($0).yaml") },
    swiftSettings: small),
  // touchtree starts it for the commands that it lists and does not have.
  .executableTarget(
    name: "touchtree-instrument",
    dependencies: [
      "TouchInstruments", "TouchMeasure", "TouchCommand", "TouchTools", "TouchInspection", "TouchCore",
      "TouchViews", "TouchSystem", "TouchPixels", "TouchInput", "TouchRecordings", "TouchConfig", arguments,
      logging, system,
    ],
    path: "Instrument/Sources/touchtree-instrument", swiftSettings: small, linkerSettings: lean),

  .testTarget(
    name: "TouchMeasureTests",
    dependencies: ["TouchMeasure", "TouchInput", "TouchRecordings", "TouchCore"],
    path: "Instrument/Tests/TouchMeasureTests",
    // Optimised as well: the modelled panels and hands are as much work as the judge.
    swiftSettings: strict + [.unsafeFlags(["-O"])]),
  .testTarget(
    name: "TouchInstrumentsTests",
    dependencies: [
      "DeviceSupport", "FolderSupport", "TouchInstruments", "TouchMeasure", "TouchTools", "TouchConfig",
      "TouchKit",
      "TouchInput", "TouchRecordings", "TouchSystem", "TouchCore", logging,
    ],
    path: "Instrument/Tests/TouchInstrumentsTests", swiftSettings: strict),
]

// MARK: The MQTT client: docs/mqtt.md

let mqtt: [Target] = [
  .systemLibrary(
    name: "CMosquitto", path: "MQTT/Sources/CMosquitto", pkgConfig: "libmosquitto",
    providers: [.apt(["libmosquitto-dev"])]),
  // A client of the daemon and of an MQTT broker, in a program of its own: no other target links libmosquitto.
  .target(
    name: "TouchMQTT",
    dependencies: [
      "TouchHandlers", "TouchSystem", "TouchJSON", "TouchCore", "TouchViews", "CMosquitto", logging, system,
    ],
    path: "MQTT/Sources/TouchMQTT", swiftSettings: small),
  .executableTarget(
    name: "touchtree-mqtt",
    dependencies: [
      "TouchMQTT", "TouchCommand", "TouchHandlers", "TouchSystem", arguments, logging, system,
    ],
    path: "MQTT/Sources/touchtree-mqtt", swiftSettings: small, linkerSettings: lean),

  .testTarget(
    name: "TouchMQTTTests", dependencies: ["TouchMQTT", "TouchSystem", "TouchJSON"],
    path: "MQTT/Tests/TouchMQTTTests", swiftSettings: strict),
]

// MARK: What helps while a panel is written: Preview/README.md

let preview: [Target] = [
  .systemLibrary(
    name: "CWebsockets", path: "Preview/Sources/CWebsockets", pkgConfig: "libwebsockets",
    providers: [.apt(["libwebsockets-dev"])]),
  // The panel in a browser, and on a board. No other target links libwebsockets.
  .target(
    name: "TouchPreview",
    dependencies: [
      "CWebsockets", "CLinux", "TouchTools", "TouchInspection", "TouchHandlers", "TouchConfig", "TouchPixels",
      "TouchJSON", "TouchSystem", "TouchViews", system,
    ],
    path: "Preview/Sources/TouchPreview", resources: [.embedInCode("Page/preview.html")],
    swiftSettings: small),
  // A panel's own tests: it is touched, and shows what it has to show.
  .target(
    name: "TouchRehearsal",
    dependencies: [
      "TouchDaemon", "TouchInspection", "TouchKit", "TouchCore", "TouchViews", "TouchExpressions",
      "TouchSystem", "TouchPixels", "TouchInput", "TouchRender", "TouchOutput", "TouchConfig",
      "TouchHandlers", logging, system,
    ],
    path: "Preview/Sources/TouchRehearsal", swiftSettings: small),
  // What editors ask of a file: the Language Server Protocol.
  .target(
    name: "TouchLanguage",
    dependencies: [
      "TouchRehearsal", "TouchDaemon", "TouchTools", "TouchCore", "TouchViews", "TouchExpressions",
      "TouchSystem", "TouchJSON", "TouchConfig", system,
    ],
    path: "Preview/Sources/TouchLanguage", swiftSettings: small),
  // touchtree starts it for the commands that it lists and does not have.
  .executableTarget(
    name: "touchtree-preview",
    dependencies: [
      "TouchPreview", "TouchLanguage", "TouchRehearsal", "TouchCommand", "TouchTools", "TouchCore",
      "TouchSystem", arguments, system,
    ],
    path: "Preview/Sources/touchtree-preview", swiftSettings: small, linkerSettings: lean),

  .testTarget(
    name: "TouchPreviewTests", dependencies: ["TouchPreview", "touchtree", "touchtree-preview"],
    path: "Preview/Tests/TouchPreviewTests", exclude: ["Browser"], swiftSettings: strict),
  .testTarget(
    name: "TouchRehearsalTests", dependencies: ["TouchRehearsal", "TouchConfig"],
    path: "Preview/Tests/TouchRehearsalTests", swiftSettings: strict),
  .testTarget(
    name: "TouchLanguageTests", dependencies: ["TouchLanguage", "TouchSystem"],
    path: "Preview/Tests/TouchLanguageTests", swiftSettings: strict),
]

// MARK: What users type: the four programs as they run them, and the documents, which have examples of all

let commandLineTests: [Target] = [
  // The dependencies have the programs built.
  .testTarget(
    name: "CommandLineTests",
    dependencies: [
      "PictureSupport", "touchtree", "touchtree-instrument", "touchtree-mqtt", "touchtree-preview",
      "TouchRender", "TouchPixels", "TouchCore",
    ],
    exclude: ["Golden"],
    swiftSettings: strict)
]

// MARK: The virtual machine, benchmarks and attacks

let bench: [Target] = [
  // Tools for the inside of the virtual machine.
  .executableTarget(
    name: "vm-guest", dependencies: ["CEvdev"], path: "Bench/VM/Guest",
    linkerSettings: cAlone + [.unsafeFlags(["-static-executable"])]),

  // Preloaded there, it counts what a program allocates.
  .target(
    name: "AllocationCounter", path: "Bench/VM/AllocationCounter", publicHeadersPath: ".",
    linkerSettings: cAlone),
  // The same for what a program does with framebuffers and terminals.
  .target(
    name: "DisplayWitness", path: "Bench/VM/DisplayWitness", publicHeadersPath: ".",
    linkerSettings: cAlone),

  // Optimised, because it compares millions of pixels one by one: a debug build of it takes more of the processor than the
  // virtual machine.
  .target(
    name: "VMPictures", dependencies: ["TouchPixels"], path: "Bench/VM/Pictures",
    swiftSettings: strict + [.unsafeFlags(["-O"])]),
  // Reads pictures with TouchRender; what they have to show comes from nothing of the product.
  .testTarget(
    name: "VMTests",
    dependencies: ["PictureSupport", "VMPictures", "TouchRender", "TouchPixels", "TouchCore"],
    path: "Bench/VM/Suite", swiftSettings: strict),

  // Two of the packages in Examples, for the virtual machine, the size of a program, and 64-bit ARM.
  .executableTarget(
    name: "example-chain", dependencies: ["TouchKit"], path: "Examples/Chain/Sources/Chain"),
  .executableTarget(
    name: "example-shelter", dependencies: ["TouchKit"], path: "Examples/Shelter/Sources/Shelter"),
  // The smallest program, for its size. It is written as short as it is in the documentation.
  .executableTarget(
    name: "ten-lines", dependencies: ["TouchKit"], path: "Tests/Use/Sources/TenLines"),

  .target(
    name: "AttackFuzzing",
    dependencies: [
      "DispatchFuzzing", "TouchInstruments", "TouchTools", "TouchInspection", "TouchKit", "TouchMQTT",
      "TouchHandlers", "TouchMeasure", "TouchConfig", "TouchInput", "TouchRecordings", "TouchRender",
      "TouchPixels", "TouchSystem", "TouchCore", "TouchViews", system,
    ],
    path: "Bench/Fuzzing/Attacks", swiftSettings: strict),
  .testTarget(
    name: "AttackTests", dependencies: ["AttackFuzzing"], path: "Bench/Fuzzing/Tests", swiftSettings: strict),
  // Senseless input, by seeds. The program is for the many seeds that a debug build has no time for.
  .executableTarget(
    name: "fuzz",
    dependencies: [
      "AttackFuzzing", "ContactFuzzing", "DispatchFuzzing", "ExpressionFuzzing", "ProtocolFuzzing",
      "TouchSystem",
    ],
    path: "Bench/Fuzzing/Program", swiftSettings: strict),

  // What is measured, and what the figures are compared with: Bench/Benchmarks/README.md.
  .executableTarget(
    name: "hit-benchmark", dependencies: ["TouchCore"], path: "Bench/Benchmarks/Hit", swiftSettings: strict,
    linkerSettings: [.linkedLibrary("m")]),
  .executableTarget(
    name: "operation-benchmark", dependencies: ["TouchCore"], path: "Bench/Benchmarks/Operations",
    swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
  .executableTarget(
    name: "display-benchmark",
    dependencies: [
      "Baseline", "TouchCore", "TouchViews", "TouchExpressions", "TouchConfig", "TouchInspection",
      "TouchKit", "TouchInput", "TouchOutput", "TouchPixels", "TouchRender",
    ],
    path: "Bench/Benchmarks/Display", swiftSettings: strict),
  .executableTarget(
    name: "kit-benchmark", dependencies: ["TouchKit"], path: "Bench/Benchmarks/Kit", swiftSettings: strict),
  .target(
    name: "Baseline", path: "Bench/Benchmarks/Baseline", linkerSettings: [.linkedLibrary("pixman-1")]),
]

let package = Package(
  name: "touchtree",
  products: [
    .executable(name: "touchtree", targets: ["touchtree"]),
    .executable(name: "touchtree-instrument", targets: ["touchtree-instrument"]),
    .executable(name: "touchtree-mqtt", targets: ["touchtree-mqtt"]),
    .executable(name: "touchtree-preview", targets: ["touchtree-preview"]),
    .library(name: "TouchCore", targets: ["TouchCore"]),
    .library(name: "TouchViews", targets: ["TouchViews"]),
    .library(name: "TouchKit", targets: ["TouchKit"]),
    .library(name: "TouchKitYAML", targets: ["TouchKitYAML"]),
    // touchtree.h, for packages that build a plugin: docs/handlers.md.
    .library(name: "CTouchtree", targets: ["CTouchtree"]),
    .library(name: "bell", type: .dynamic, targets: ["SampleBell"]),
    .library(name: "lamp", type: .dynamic, targets: ["SampleLamp"]),
    .library(name: "allocation-counter", type: .dynamic, targets: ["AllocationCounter"]),
    .library(name: "display-witness", type: .dynamic, targets: ["DisplayWitness"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: product + productTests + instrument + mqtt + preview + commandLineTests + bench,
  swiftLanguageModes: [.v6]
)
