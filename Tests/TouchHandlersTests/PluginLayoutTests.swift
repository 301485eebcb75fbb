import CTouchtree
import Testing

/// The structs as Swift sees them; the C side asserts every offset.
@Suite struct PluginLayoutTests {
  @Test(arguments: [
    ("touchtree_touch", MemoryLayout<touchtree_touch>.size, 152 + MemoryLayout<Int>.size),
    ("touchtree_sample", MemoryLayout<touchtree_sample>.size, 40),
    ("touchtree_touches", MemoryLayout<touchtree_touches>.size, 24 + 3 * MemoryLayout<Int>.size),
    ("touchtree_host", MemoryLayout<touchtree_host>.size, 8 + 16 * MemoryLayout<Int>.size),
    ("touchtree_gesture", MemoryLayout<touchtree_gesture>.size, 128 + 2 * MemoryLayout<Int>.size),
    ("touchtree_plugin", MemoryLayout<touchtree_plugin>.size, 8 + 10 * MemoryLayout<Int>.size),
    ("touchtree_press", MemoryLayout<touchtree_press>.size, 48 + 4 * MemoryLayout<Int>.size),
    ("touchtree_pointer", MemoryLayout<touchtree_pointer>.size, 80 + 2 * MemoryLayout<Int>.size),
  ])
  func `a struct has the size that plugins were built with`(name: String, size: Int, expected: Int) {
    #expect(size == expected, "\(name)")
  }

  @Test func `size and ABI come first in both tables`() {
    #expect(MemoryLayout<touchtree_host>.offset(of: \.size) == 0)
    #expect(MemoryLayout<touchtree_host>.offset(of: \.abi) == 4)
    #expect(MemoryLayout<touchtree_plugin>.offset(of: \.size) == 0)
    #expect(MemoryLayout<touchtree_plugin>.offset(of: \.abi) == 4)
  }

  @Test func `names go with the codes`() {
    #expect(String(cString: touchtree_phase_name(TOUCHTREE_CANCELLED)) == "cancelled")
    #expect(String(cString: touchtree_phase_name(99)) == "unknown")
    #expect(String(cString: touchtree_phase_name(TOUCHTREE_LEFT)) == "left")
    #expect(String(cString: touchtree_gesture_state_name(TOUCHTREE_GESTURE_CHANGED)) == "changed")
    #expect(String(cString: touchtree_gesture_kind_name(TOUCHTREE_ROTATION)) == "rotation")
    #expect(String(cString: touchtree_gesture_kind_name(TOUCHTREE_SCREEN_EDGE_PAN)) == "screen_edge_pan")
    #expect(String(cString: touchtree_gesture_kind_name(0)) == "unknown")
    #expect(String(cString: touchtree_action_name(TOUCHTREE_TOUCH_UP_INSIDE)) == "touchUpInside")
    #expect(String(cString: touchtree_action_name(TOUCHTREE_VALUE_CHANGED)) == "valueChanged")
    #expect(String(cString: touchtree_action_name(-1)) == "unknown")
  }
}
