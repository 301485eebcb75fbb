import DispatchFuzzing
import TouchCore
import TouchPixels
import TouchRender
import TouchViews

/// Tiny, huge and odd lengths on views that are painted: what a picture costs is counted in texts and parts,
/// not in time.
public final class LengthAttack {
  private let display: Surface
  /// One for all sequences, as in a daemon.
  private let painter: Painter

  /// - Throws: `DisplayError` if there is no memory.
  public init() throws {
    display = try Surface(width: 300, height: 300)
    painter = try Painter(
      geometry: DisplayGeometry(displaySize: display.size, canvasSize: nil, scale: .fit, rotation: .none))
  }

  /// Plays the sequence of a seed, and paints some of it.
  public func run(seed: UInt64) -> LengthFuzzer.Result {
    LengthFuzzer.run(seed: seed) { [painter, display] window in
      let before = painter.work
      painter.paintAll(window, highlights: nil, on: display)
      return painter.work - before
    }
  }
}
