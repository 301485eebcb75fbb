import ArgumentParser
import TouchCore
import TouchDaemon
import TouchOutput
import TouchSystem

/// The command line, with a blank before every point that begins with a minus sign: the parser takes `-5,10` for a
/// group of options.
enum NegativePoints {
  static func shielded(_ arguments: [String]) -> [String] {
    arguments.map { argument in
      guard argument.first == "-" else { return argument }
      let isPoint = PointArgument(argument: argument) != nil || PathArgument(argument: argument) != nil
      return isPoint ? " " + argument : argument
    }
  }
}

/// `X,Y` in window units.
struct PointArgument: ExpressibleByArgument {
  var x: Double
  var y: Double

  init?(argument: String) {
    let parts = argument.drop { $0 == " " }.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]), x.isFinite, y.isFinite
    else { return nil }
    self.x = x
    self.y = y
  }

  var windowPoint: WindowPoint { WindowPoint(x: x, y: y) }
}

/// `X,Y:X,Y…`: a way, from point to point.
struct PathArgument: ExpressibleByArgument {
  var points: [PointArgument]

  init?(argument: String) {
    points = []
    for part in argument.split(separator: ":", omittingEmptySubsequences: false) {
      guard let point = PointArgument(argument: String(part)) else { return nil }
      points.append(point)
    }
    guard points.count >= 2 else { return nil }
  }
}

/// `WxH` in pixels.
struct SizeArgument: ExpressibleByArgument {
  /// As for the canvas of a configuration: a picture of the largest takes 256 MiB.
  static let longestSide = 8_192

  var width: Int
  var height: Int

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height)
    else { return nil }
    self.width = width
    self.height = height
  }

  var size: Size { Size(width: Double(width), height: Double(height)) }
}

/// `auto`, `/dev/fbN`, `terminal`, `terminal:blocks` and its siblings, `headless` or `headless:WxH`.
struct DisplayArgument: ExpressibleByArgument {
  var choice: DisplayChoice

  init?(argument: String) {
    switch argument {
    case "auto": choice = .automatic
    case "headless": choice = .headlessOfTheTreesSize
    case "terminal": choice = .terminal(nil)
    case let text where text.hasPrefix("terminal:"):
      guard let graphics = TerminalGraphics(rawValue: String(text.dropFirst(9))) else { return nil }
      choice = .terminal(graphics)
    case let path where path.hasPrefix("/"): choice = .framebuffer(path)
    case let text where text.hasPrefix("headless:"):
      guard let size = SizeArgument(argument: String(text.dropFirst(9))) else { return nil }
      choice = .headless(width: size.width, height: size.height)
    default: return nil
    }
  }
}

/// Where a picture is written: a file whose name ends in `.png` or has no suffix, such as a device's or a pipe's, or `-`
/// for standard output.
struct PictureArgument {
  var path: String

  /// - Throws: `ValidationError` for a name that promises another format, and for none.
  init(argument: String) throws {
    if argument.isEmpty { throw ValidationError("the picture has no name; name it picture.png") }
    let name = argument.split(separator: "/").last ?? ""
    // A dot in front hides a file.
    if let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].lowercased() != ".png" {
      throw ValidationError("touchtree writes PNG; name it \(argument.dropLast(name[dot...].count)).png")
    }
    path = argument
  }
}

/// The folder of `--pictures`.
enum PictureFolder {
  /// - Throws: `ValidationError` for `-`, which is standard output everywhere else.
  static func checked(_ argument: String) throws -> String {
    guard argument != "-" else {
      throw ValidationError("pictures go to a folder, not to standard output; name one, or write ./-")
    }
    return argument
  }
}
