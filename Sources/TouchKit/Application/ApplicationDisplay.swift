import Glibc
import TouchCore
import TouchOutput
import TouchPixels

extension Application {
  /// How a picture is turned on its display, clockwise; touches turn with it.
  public enum Rotation: Sendable, CaseIterable {
    /// Not at all.
    case none
    /// By 90 degrees.
    case quarter
    /// By 180 degrees.
    case half
    /// By 270 degrees.
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

  /// Where a window is shown.
  public struct Display: Hashable, Sendable {
    private enum Choice: Hashable, Sendable {
      case automatic
      case named(String)
      case headless(width: Int, height: Int)
    }

    private let choice: Choice

    /// The display that the environment's `TOUCHKIT_DISPLAY` names, as `named(_:)` does. Without it, the framebuffer that shows the
    /// console; where there is none, a connector of a graphics card (KMS).
    public static let automatic = Display(choice: .automatic)
    /// The terminal that the program runs in, whose mouse is a finger; the key q ends the program.
    public static let terminal = Display(choice: .named("terminal"))

    /// By the name that `touchtree run --display` takes: `/dev/fb1`, `kms:HDMI-A-1`, `terminal:sixel`.
    public static func named(_ name: String) -> Display { Display(choice: .named(name)) }

    /// Memory, for tests and pictures: one pixel to a unit of the window. Until the application runs, time stands still; see
    /// `Application.advance(by:)`.
    ///
    /// - Parameters:
    ///   - width: in pixels, from 1 to 8192.
    ///   - height: in pixels, from 1 to 8192.
    public static func headless(width: Int, height: Int) -> Display {
      Display(choice: .headless(width: width, height: height))
    }

    /// What the environment says counts where nothing else does.
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

    /// - Throws: `DisplayError` of kind `badName`.
    func name() throws(DisplayError) -> DisplayName {
      switch choice {
      case .automatic: try DisplayName("auto")
      case .named(let name): try DisplayName(name)
      case .headless(let width, let height): try DisplayName("headless:\(width)x\(height)")
      }
    }
  }
}
