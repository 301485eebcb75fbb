import Glibc
import TouchCore
import TouchHandlers
import TouchJSON
import TouchOutput
import TouchPixels
import TouchSystem

// Pictures and fingers over a connection of `touchtree ctl` to a running daemon.

extension ControlClient {
  package func screenshot() throws -> Surface {
    try send(Message.line("screenshot"))
    return try receivedScreenshot()
  }

  /// Waits for a screenshot that was requested.
  package func receivedScreenshot() throws -> Surface {
    let answer = try answer()
    guard let file, let (width, height) = answer.pictureSize else {
      throw ControlError(path: path, reason: .garbled)
    }
    let picture = try Surface(width: width, height: height)
    let bytes = UnsafeMutableRawBufferPointer(start: picture.pixels, count: width * height * 4)
    guard file.read(into: bytes) else { throw ControlError(path: path, reason: .garbled) }
    return picture
  }
}

extension JSONValue {
  /// The size of the picture that a message describes, in pixels; nil for a size that no daemon sends.
  fileprivate var pictureSize: (width: Int, height: Int)? {
    let sides = 1...Surface.largestSide
    guard case .integer(let width)? = self["width"], case .integer(let height)? = self["height"],
      sides.contains(width), sides.contains(height), self["stride"] == .integer(width * 4)
    else { return nil }
    return (width, height)
  }
}

// MARK: - Fingers

extension ControlClient {
  /// The time between two moves of a dragged finger, in milliseconds.
  private static let step = 16

  /// Moves a finger from point to point of the canvas within some seconds, and lifts it; one point is a tap.
  package func touch(_ points: [(x: Double, y: Double)], duration: Double) throws {
    guard let first = points.first, let last = points.last else { return }
    try requireInside(points)
    try inject("began", first)
    let steps = points.count == 1 ? 0 : max(points.count - 1, Int(duration * 1000) / Self.step)
    for step in stride(from: 1, through: steps, by: 1) {
      usleep(UInt32(duration * 1e6 / Double(steps)))
      try inject("moved", Self.point(of: points, at: Double(step) / Double(steps)))
    }
    if steps == 0 { usleep(UInt32(duration * 1e6)) }
    try inject("ended", last)
  }

  /// Rejects points outside the canvas, where the daemon would leave a dragged finger at the edge.
  private func requireInside(_ points: [(x: Double, y: Double)]) throws(RequestError) {
    guard let width = greeting["window"]?["width"]?.number, let height = greeting["window"]?["height"]?.number
    else { return }
    for point in points where !(0..<width).contains(point.x) || !(0..<height).contains(point.y) {
      throw RequestError(
        id: nil,
        message:
          "\(point.x.plain),\(point.y.plain) is not on the canvas, which is \(width.plain) × \(height.plain)")
    }
  }

  private static func point(of path: [(x: Double, y: Double)], at part: Double) -> (x: Double, y: Double) {
    let place = part * Double(path.count - 1)
    let index = min(Int(place), path.count - 2)
    let (from, to, rest) = (path[index], path[index + 1], place - Double(index))
    return (from.x + (to.x - from.x) * rest, from.y + (to.y - from.y) * rest)
  }

  private func inject(_ phase: String, _ point: (x: Double, y: Double)) throws {
    try ask(Self.injection(phase, WindowPoint(x: point.x, y: point.y)))
  }

  /// Returns a request that moves this client's one finger, in canvas coordinates.
  package static func injection(_ phase: String, _ point: WindowPoint, id: JSONValue? = nil) -> [UInt8] {
    Message.line("inject", id: id) { json in
      json.field("phase", phase)
      json.field("finger", 1)
      json.field("x", point.x)
      json.field("y", point.y)
    }
  }
}

// MARK: - The live screen

/// The picture of a daemon's display, which the daemon keeps up to date.
package struct RemoteScreen {
  /// The picture in the display's pixels, as of the last reading.
  package let picture: Surface
  /// The size of the canvas in window units.
  package let canvas: Size
  package let canvasFromPicture: AffineTransform
  private let file: MemoryFile

  /// Reads a message with its file; nil if it describes no picture.
  fileprivate init?(_ message: JSONValue, _ file: MemoryFile?) {
    guard message["type"] == .text("screen"), let file, let (width, height) = message.pictureSize,
      let canvas = message["canvas"]?.elements?.compactMap(\.number), canvas.count == 2,
      let matrix = message["transform"]?.elements?.compactMap(\.number), matrix.count == 6,
      canvas[0] >= 1, canvas[1] >= 1, let picture = try? Surface(width: width, height: height)
    else { return nil }
    self.file = file
    self.picture = picture
    self.canvas = Size(width: canvas[0], height: canvas[1])
    canvasFromPicture = AffineTransform(
      a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3], tx: matrix[4], ty: matrix[5])
    guard read(picture.bounds) else { return nil }
  }

  /// Returns the part of the picture that a rectangle of a `damage` message is; nil for anything else.
  package func part(_ rect: JSONValue) -> PixelRect? {
    let numbers = (rect.elements ?? []).compactMap { element -> Int? in
      guard case .integer(let number) = element, (0...Surface.largestSide).contains(number) else {
        return nil
      }
      return number
    }
    guard numbers.count == 4 else { return nil }
    return PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      .intersection(picture.bounds)
  }

  /// Returns a part of the picture as a PNG file in base64; nil if the file is shorter, or there is no
  /// memory.
  fileprivate func png(of part: PixelRect) -> String? {
    guard read(part), let copy = try? Surface(width: part.width, height: part.height) else { return nil }
    for y in 0..<part.height {
      (copy.pixels + y * part.width).update(
        from: picture.pixels + ((part.minY + y) * picture.width + part.minX), count: part.width)
    }
    return (try? PNGWriter.encode(copy)).map { String(decoding: Base64.encode($0), as: UTF8.self) }
  }

  /// Reads the rows of a part of the picture. Returns false if the file is shorter.
  package func read(_ part: PixelRect) -> Bool {
    let part = part.intersection(picture.bounds)
    guard !part.isEmpty else { return true }
    let rowBytes = picture.width * MemoryLayout<UInt32>.stride
    return file.read(
      into: UnsafeMutableRawBufferPointer(
        start: picture.pixels + part.minY * picture.width, count: part.height * rowBytes),
      from: part.minY * rowBytes)
  }
}

extension ControlClient {
  /// Requests the display's picture and its changes; a `RequestError` has the daemon's words.
  package func followScreen() throws -> RemoteScreen {
    let answer = try ask(Message.line("screen"))
    return try screen(in: answer)
  }

  /// Returns the picture of a message of the type `screen`, or throws for another.
  package func screen(in message: JSONValue) throws(ControlError) -> RemoteScreen {
    defer { file = nil }
    guard let screen = RemoteScreen(message, file) else { throw ControlError(path: path, reason: .garbled) }
    return screen
  }
}

/// Puts the pictures that come with files into the messages themselves, for a connection that takes no files,
/// such as ssh: each `screen` and `damage` gets `pictures`, a list with a `rect` and its PNG file in base64.
package struct PictureRelay {
  private var screen: RemoteScreen?

  package init() {}

  /// Returns a message with its pictures; others as they are.
  /// - Throws: `ControlError` for a picture that no daemon sends.
  package mutating func message(
    _ message: JSONValue, of client: ControlClient
  ) throws(ControlError) -> JSONValue {
    let parts: [PixelRect]
    switch message["type"]?.text {
    case "screen":
      let screen = try client.screen(in: message)
      self.screen = screen
      parts = [screen.picture.bounds]
    case "damage": parts = (message["rects"]?.elements ?? []).compactMap { screen?.part($0) }
    default: return message
    }
    let pictures = parts.filter { !$0.isEmpty }.compactMap { part in
      screen?.png(of: part).map { png in
        JSONValue.object([
          .init("rect", .array([part.minX, part.minY, part.width, part.height].map { .integer($0) })),
          .init("png", .text(png)),
        ])
      }
    }
    return .object((message.members ?? []) + [.init("pictures", .array(pictures))])
  }
}
