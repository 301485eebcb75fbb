import Glibc
import TouchCore
import TouchOutput
import TouchPixels

extension Application {
  /// The clockwise rotation of a picture on its display. Touches turn with it.
  public enum Rotation: Sendable, CaseIterable {
    /// No rotation.
    case none
    /// A rotation by 90 degrees.
    case quarter
    /// A rotation by 180 degrees.
    case half
    /// A rotation by 270 degrees.
    case threeQuarters

    var geometry: DisplayGeometry.Rotation {
      switch self {
      case .none: .none
      case .quarter: .quarter
      case .half: .half
      case .threeQuarters: .threeQuarters
      }
    }
  }

  /// The display on which a window is shown.
  public struct Display: Hashable, Sendable {
    private enum Choice: Hashable, Sendable {
      case automatic
      case named(String)
      case headless(width: Int, height: Int)
    }

    private let choice: Choice

    /// The display that the environment variable `TOUCHKIT_DISPLAY` names, as `named(_:)` does.
    ///
    /// Without the variable, it is the framebuffer that shows the console. Without a
    /// framebuffer, it is a connector of a graphics card (KMS).
    public static let automatic = Display(choice: .automatic)
    /// The terminal that the program runs in. Its mouse is a finger, and the key q ends the program.
    public static let terminal = Display(choice: .named("terminal"))

    /// Returns the display with a name that `touchtree run --display` accepts:
    /// `/dev/fb1`, `kms:HDMI-A-1`, `terminal:sixel`.
    public static func named(_ name: String) -> Display { Display(choice: .named(name)) }

    /// Returns a display in memory for tests and pictures, with one pixel to a unit of the window.
    ///
    /// Until the application runs, time stands still; see `Application.advance(by:)`.
    ///
    /// - Parameters:
    ///   - width: the width in pixels, from 1 to 8192.
    ///   - height: the height in pixels, from 1 to 8192.
    public static func headless(width: Int, height: Int) -> Display {
      Display(choice: .headless(width: width, height: height))
    }

    var resolved: Display {
      guard choice == .automatic, let name = getenv("TOUCHKIT_DISPLAY") else { return self }
      return .named(String(cString: name))
    }

    var isHeadless: Bool {
      switch choice {
      case .automatic: false
      case .named(let name): name == "headless" || name.hasPrefix("headless:")
      case .headless: true
      }
    }

    func name() throws(DisplayError) -> DisplayName {
      switch choice {
      case .automatic: try DisplayName("auto")
      case .named(let name): try DisplayName(name)
      case .headless(let width, let height): try DisplayName("headless:\(width)x\(height)")
      }
    }
  }
}
