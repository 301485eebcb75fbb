import ArgumentParser
import TouchCore
import TouchOutput
import TouchPixels

/// A size as `WxH` in pixels.
package struct SizeArgument {
  package let size: Size

  /// - Throws: `ValidationError` for anything else, and for a side that is too long.
  package init(argument: String) throws {
    do throws(DisplayError) {
      size = try Size(pixels: argument)
    } catch {
      throw ValidationError(error.detail)
    }
  }
}

/// The name of a display, such as `auto`, `/dev/fbN`, `terminal:blocks` or `headless:WxH`. (`DisplayKind`)
package struct DisplayArgument {
  package let name: DisplayName

  /// - Throws: `ValidationError` for anything else.
  package init(argument: String) throws {
    do throws(DisplayError) {
      name = try DisplayName(argument)
    } catch {
      throw ValidationError(error.detail)
    }
  }
}
