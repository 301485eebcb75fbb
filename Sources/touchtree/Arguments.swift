import ArgumentParser
import TouchCore
import TouchOutput
import TouchSystem
import TouchTools
import TouchViews

/// Puts a blank before points that begin with a minus sign, which would look like options.
enum NegativePoints {
  static func shielded(_ arguments: [String]) -> [String] {
    arguments.map { argument in
      guard argument.first == "-" else { return argument }
      let isPoint = PointArgument(argument[...]) != nil || PathArgument(argument[...]) != nil
      return isPoint ? " " + argument : argument
    }
  }
}

struct ValueArgument {
  let entry: PropertyValue.Entry

  init(argument: String) throws {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
      throw ValidationError("a value is NAME=VALUE, such as temperature=21.5, and not '\(argument)'")
    }
    entry = PropertyValue.Entry(
      key: String(argument[..<sign]), value: .text(String(argument[argument.index(after: sign)...])))
  }
}

struct PointArgument {
  var x, y: Double

  /// - Throws: `ValidationError` for anything else.
  init(argument: String) throws {
    let text = argument.drop { $0 == " " }
    guard let point = PointArgument(text) else { throw ValidationError(Self.problem(String(text))) }
    self = point
  }

  init?(_ text: Substring) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]), x.isFinite, y.isFinite
    else { return nil }
    self.x = x
    self.y = y
  }

  private static func problem(_ text: String) -> String {
    let arguments = ProgramArguments.line
    guard Double(text) != nil, let index = arguments.firstIndex(of: text),
      let next = arguments.dropFirst(index + 1).first, Double(next) != nil
    else { return "a point is two numbers with a comma and no blank, such as 120,100" }
    return "the point is one argument: \(text),\(next)"
  }

  var windowPoint: WindowPoint { WindowPoint(x: x, y: y) }
}

struct PathArgument {
  var points: [PointArgument]

  /// - Throws: `ValidationError` for anything else.
  init(argument: String) throws {
    guard let path = PathArgument(argument[...]) else {
      throw ValidationError("a path is two or more points with colons between them, such as 20,20:200,20")
    }
    self = path
  }

  fileprivate init?(_ text: Substring) {
    let text = text.drop { $0 == " " }
    points = []
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      guard let point = PointArgument(part) else { return nil }
      points.append(point)
    }
    guard points.count >= 2 else { return nil }
  }
}

extension TerminalGraphics: ExpressibleByArgument {}

/// The target of a picture: a file in `.png` or without a suffix, or `-` for standard output.
struct PictureArgument {
  var path: String

  init(argument: String) throws {
    if argument.isEmpty { throw ValidationError("the picture has no name; name it picture.png") }
    let name = argument.split(separator: "/").last ?? ""
    // A leading dot hides a file.
    if let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].lowercased() != ".png" {
      throw ValidationError("touchtree writes PNG; name it \(argument.dropLast(name[dot...].count)).png")
    }
    path = argument
  }
}

/// Several sizes, `WxH,WxH`, in pixels.
struct SizesArgument {
  let sizes: [Size]

  /// - Throws: `ValidationError` for anything else.
  init(argument: String) throws {
    sizes = try argument.split(separator: ",", omittingEmptySubsequences: false).map {
      try SizeArgument(argument: String($0)).size
    }
  }
}

enum PictureFolder {
  /// - Throws: `ValidationError` for `-`, which is standard output everywhere else.
  static func checked(_ argument: String) throws -> String {
    guard argument != "-" else {
      throw ValidationError("pictures go to a folder, not to standard output; name one, or write ./-")
    }
    return argument
  }
}

extension CompletionKind {
  /// The ids of a running daemon's views, in its tree's first column, below the application.
  static var views: CompletionKind {
    .shellCommand("touchtree ctl tree 2>/dev/null | sed -E '1d; s/^ *([^ ]+).*/\\1/'")
  }
}
