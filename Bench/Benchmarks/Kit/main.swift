import TouchKit

// A program as one is written with TouchKit, for `gates`: 100 views of a class of its own, as many as the
// daemon has there and as large. Each decides for itself where it is touched, and lights up while it is.

final class Key: View {
  override func point(inside point: LocalPoint, with event: Event?) -> Bool { bounds.contains(point) }

  override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    background = .magenta
    return .handled
  }

  override func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition { .handled }

  override func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    background = .darkGray
    return .handled
  }
}

// `kit-benchmark /dev/input/event0` reads that device.
Application.main(devices: Array(CommandLine.arguments.dropFirst())) { app in
  for row in 0..<10 {
    for column in 0..<10 {
      let place =
        Rect(x: Double(column) * 80 + 1, y: Double(row) * 48 + 1, width: 78, height: 46) as LocalRect
      let key = Key(id: "v\(column)-\(row)", frame: place)
      key.background = .darkGray
      app.window.addSubview(key)
    }
  }
}
