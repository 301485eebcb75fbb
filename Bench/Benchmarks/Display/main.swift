import Baseline
import Glibc
import TouchCore
import TouchOutput
import TouchPixels
import TouchRender
import TouchViews

// Prints the tables of README.md: the time to draw on a display of 1280 × 800.

let arguments = Array(CommandLine.arguments.dropFirst())

// `display-benchmark FILE 16 20` paints it 20 times at 16 bits a pixel, and `display-benchmark list 16 400`
// drags the list by 400 frames. `page 32 120` moves a page with a gradient and shadows by 120 pictures, and
// `texts 32 120` changes 50 of 200 bound texts 120 times. `unchanged 32 120` moves a finger 120 times beside
// 400 bound texts, and paints nothing. `page@1920x1080 32 200` slides a page of an example on a display of that size,
// and `page@1920x1080@90` on one that is turned; likewise `sheet`, `list`, `chart` and `keyboard`. They print nothing, so that instructions can be counted; with `times`
// before it, the shortest and the median time of a frame in microseconds.
let isTimed = arguments.first == "times"
let scene = isTimed ? Array(arguments.dropFirst()) : arguments
if scene.count == 3, let count = Int(scene[2]), let depth = MemoryFramebuffer.Depth(bits: scene[1]) {
  var times: [Double] = []
  times.reserveCapacity(count)
  if scene[0] == "list" {
    let list = try ScrollingList(
      on: MemoryFramebuffer(width: ScrollingList.width, height: ScrollingList.height, depth: depth))
    var places: Set<Double> = []
    repeated(count, into: &times) { places.insert(list.step()) }
    // What does not move measures nothing.
    if places.count == 1 { exit(1) }
  } else if scene[0] == "page" {
    let page = try MovingPage(
      on: MemoryFramebuffer(width: MovingPage.width, height: MovingPage.height, depth: depth))
    let first = page.step()
    var last = first
    repeated(count, into: &times) { last = page.step() }
    if last == first { exit(1) }
  } else if scene[0] == "texts" {
    let texts = try BoundTexts(
      on: MemoryFramebuffer(width: BoundTexts.width, height: BoundTexts.height, depth: depth))
    let first = texts.step()
    var last = first
    repeated(count, into: &times) { last = texts.step() }
    // Those that follow what has changed are computed, and no other.
    if last - first != 50 * count { exit(1) }
  } else if scene[0] == "unchanged" {
    let texts = try UnchangedTexts()
    let first = texts.step()
    var last = first
    repeated(count, into: &times) { last = texts.step() }
    if first != 400 || last != first { exit(1) }
  } else if let motion = try Motion(scene[0], depth) {
    var painted = 0
    while painted < count {
      let start = processorTime()
      guard motion.step() else { continue }
      painted += 1
      times.append(processorTime() - start)
    }
  } else {
    let demo = try Demo(scene[0])
    let display = try MemoryFramebuffer(width: Demo.width, height: Demo.height, depth: depth)
    repeated(count, into: &times) { demo.paint(on: display) }
  }
  // Sorting allocates, and allocations are counted.
  if isTimed { times.sort() }
  if isTimed, let shortest = times.first { print(tenths(shortest), tenths(times[times.count / 2])) }
  exit(0)
}

let demo = try Demo(arguments.first ?? "../../config/touchtree.yaml")
let (width, height) = (Demo.width, Demo.height)

let surface = try Surface(width: width, height: height)
let copy = try Surface(width: width, height: height)
let bytes = width * height * 4

print("| all of the display, 32 bits | time | against pixman_fill of the same bytes |")
print("|---|---|---|")
let fill = measure { baseline_fill(surface.pixels, Int32(width), Int32(height), 0xff20_2020) }
let rows: [(String, Double)] = [
  ("memset", measure { baseline_set(surface.pixels, 0x20, bytes) }),
  ("pixman_fill", fill),
  ("memcpy", measure { baseline_copy(copy.pixels, surface.pixels, bytes) }),
]
for (name, time) in rows { print("| \(name) | \(text(time)) | \(ratio(time, fill)) |") }

let headless = try Surface(width: width, height: height)
let framebuffer = try MemoryFramebuffer(width: width, height: height, depth: .bits32)
// The painter fills the background first, so that a window of one colour is a second fill.
let fills: [(name: String, color: String?, bytes: Double)] = [
  ("the background", nil, 1), ("an opaque window over it", "#203040", 2),
  ("a window over it, blended at 50 %", "#20304080", 2),
]
for (name, color, fills) in fills {
  let window = Window(size: Size(width: Double(width), height: Double(height)))
  window.appearance.background = color.flatMap { Color(hex: $0) }
  let painter = try Painter(geometry: DisplayGeometry(displaySize: headless.size))
  for (place, display) in [("in memory", headless as any Screen), ("copied out", framebuffer)] {
    let time = measure { painter.paintAll(window, highlights: nil, on: display) }
    print("| \(name), \(place) | \(text(time)) | \(ratio(time, fill * fills)) |")
  }
}

print("\n| the demo | time | bytes written | allocations |")
print("|---|---|---|---|")
let allocations = AllocationCount()
for depth in MemoryFramebuffer.Depth.allCases {
  let display = try MemoryFramebuffer(width: width, height: height, depth: depth)
  let time = measure(runs: 50) { demo.paint(on: display) }
  let before = display.writtenBytes
  let count = allocations.text { demo.paint(on: display) }
  print("| all of it, \(depth.name) | \(text(time)) | \(display.writtenBytes - before) | \(count) |")
}

var style = HighlightStyle()
style.touches.showsMarker = false
var highlights = Highlights(style: style)
var damage = Damage()
let time = measure { demo.highlight(&highlights, &damage, on: framebuffer) }
let before = framebuffer.writtenBytes
demo.highlight(&highlights, &damage, on: framebuffer)
let written = framebuffer.writtenBytes - before
let count = allocations.text { for _ in 0..<1000 { demo.highlight(&highlights, &damage, on: framebuffer) } }
let frame: Rect<DisplaySpace> = demo.pipeline.geometry.displayFromWindow.bounding(demo.button.windowFrame)
print(
  "| one button of \(Int(frame.size.width)) × \(Int(frame.size.height)) lit and put out | \(text(time)) "
    + "| \(written) | \(count) in 1000 |")

print("\n| a list of 200 rows that is dragged, 800 × 480 | a frame | the longest of 1000 | allocations |")
print("|---|---|---|---|")
for depth in [MemoryFramebuffer.Depth.bits32, .bits16] {
  let list = try ScrollingList(
    on: MemoryFramebuffer(width: ScrollingList.width, height: ScrollingList.height, depth: depth))
  let count = allocations.text { for _ in 0..<1000 { list.step() } }
  let clock = ContinuousClock()
  var (sum, longest) = (Duration.zero, Duration.zero)
  for _ in 0..<1000 {
    let time = clock.measure { list.step() }
    (sum, longest) = (sum + time, max(longest, time))
  }
  print(
    "| \(depth.name) | \(text(sum.microseconds / 1000)) | \(text(longest.microseconds)) | \(count) in 1000 |")
}

print("\n| a page of 800 × 480 that slides | a frame | the longest of 120 | allocations |")
print("|---|---|---|---|")
for depth in [MemoryFramebuffer.Depth.bits32, .bits16] {
  func page() throws -> MovingPage {
    try MovingPage(on: MemoryFramebuffer(width: MovingPage.width, height: MovingPage.height, depth: depth))
  }
  let counted = try page()
  let count = allocations.text { for _ in 0..<120 { counted.step() } }
  let timed = try page()
  let clock = ContinuousClock()
  var (sum, longest) = (Duration.zero, Duration.zero)
  for _ in 0..<120 {
    let time = clock.measure { timed.step() }
    (sum, longest) = (sum + time, max(longest, time))
  }
  print(
    "| \(depth.name) | \(text(sum.microseconds / 120)) | \(text(longest.microseconds)) | \(count) in 120 |")
}

print("\n| text with warm glyphs | time |")
print("|---|---|")
let window = Window(size: Size(width: Double(width), height: Double(height)))
let label = Label(id: "label", frame: LocalRect(x: 0, y: 0, width: Double(width), height: 40))
label.text = "The quick brown fox jumps over the lazy dog, and then again"
label.textStyle.size = 24
window.addSubview(label)
let painter = try Painter(geometry: DisplayGeometry(displaySize: headless.size))
damage.add(label.windowFrame)
let line = measure { painter.paint(window, highlights: nil, damage: damage, on: headless) }
label.isHidden = true
let empty = measure { painter.paint(window, highlights: nil, damage: damage, on: headless) }
print("| a line of \(label.text.count) characters, 24 units high | \(text(line - empty)) |")
print("| one character | \(text((line - empty) / Double(label.text.count))) |")
