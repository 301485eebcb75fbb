import Testing
import TouchExpressions

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// `actions:` of controls and gestures, `kind: pages`, and values.
@Suite struct ActionReadingTests {
  /// A tree in which `b` is a button whose press does one thing. What it does starts in line 3, column 1.
  private static func pressing(_ step: String) -> String {
    """
    window: {subviews: [{id: b, kind: button, frame: [0,0,1,1], actions: {touch_up_inside: [
    #
    \(step)
    ]}}, {id: v, frame: [0,0,1,1]}, {id: l, kind: label, frame: [0,0,1,1]}, {id: i, kind: image, frame: [0,0,1,1]},
    {id: dial, kind: control, frame: [0,0,1,1], value: 20, minimum: 5, maximum: 30, step: 0.5},
    {id: plain, kind: control, frame: [0,0,1,1]},
    {id: e, kind: control, frame: [0,0,1,1], value: 0},
    {id: p, kind: pages, frame: [0,0,1,1], subviews: [{id: home, frame: [0,0,1,1]}, {id: more, frame: [0,0,1,1]}]},
    {id: sure, kind: sheet}, {id: s, kind: scroll, frame: [0,0,1,1], subviews: [{id: deep, frame: [0,0,1,1]}]}]}
    handlers: {chime: {kind: exec, when: pressed, command: [aplay]}}
    """
  }

  static let rows: [(String, [ActionStep])] = [
    ("present: sure", [.set(view: "sure", [setting("presented", true)])]),
    ("dismiss: sure", [.set(view: "sure", [setting("presented", false)])]),
    ("scroll_to: {s: bottom}", [.scroll(view: "s", .edge(.bottom))]),
    ("scroll_to: {s: [0, 12.5]}", [.scroll(view: "s", .offset(LocalPoint(x: 0, y: 12.5)))]),
    ("scroll_to: {s: deep}", [.scroll(view: "s", .view("deep"))]),
    ("set: {l: {text: 21.50}}", [.set(view: "l", [setting("text", "21.50")])]),
    (
      "set: {v: {hidden: true, alpha: 0.5, frame: [1, 2, 3, 4]}, b: {enabled: false}}",
      [
        .set(
          view: "v",
          [
            setting("hidden", true), setting("alpha", 0.5),
            setting("frame", LocalRect(x: 1, y: 2, width: 3, height: 4)),
          ]),
        .set(view: "b", [setting("enabled", false)]),
      ]
    ),
    (
      "set: {v: {background: null, transform: {rotate: 90}}}",
      [
        .set(
          view: "v",
          [setting("background", Color?.none), setting("transform", AffineTransform.rotation(degrees: 90))])
      ]
    ),
    (
      "set: {i: {image: logo.png}}",
      [.set(view: "i", [setting("image", parts: .text("logo.png"))].compactMap(\.self))]
    ),
    (
      "set: {dial: {value: 12}, p: {page: more}}",
      [.set(view: "dial", [setting("value", 12.0)]), .set(view: "p", [setting("page", "more")])]
    ),
    (
      "set: {window: {background: \"#000000\"}}",
      [.set(view: "window", [setting("background", Fill?.some(.color(Color(red: 0, green: 0, blue: 0))))])]
    ),
    (
      "toggle: {v: hidden, b: selected}",
      [.toggle(view: "v", .hidden), .toggle(view: "b", .selected)]
    ),
    (
      "change: {dial: -0.5, e: 2}", [.change(view: "dial", by: -0.5), .change(view: "e", by: 2)]
    ),
    (
      "set: {l: {text: \"{dial.value}°, {e.value}\"}}",
      [.set(view: "l", [], computed: [computed("text", "{dial.value}°, {e.value}")])]
    ),
    ("page: {p: next}", [.page(view: "p", .next)]),
    ("page: {p: more}", [.page(view: "p", .id("more"))]),
    ("page: {p: more, transition: push}", [.page(view: "p", .id("more"), by: .push)]),
    (
      "animate: {seconds: 0.5, delay: 1, curve: spring, set: {v: {alpha: 0.5}}}",
      [.animate(Timing(0.5, delay: 1, curve: .spring), [.set(view: "v", [setting("alpha", 0.5)])])]
    ),
    (
      "animate: {set: {v: {alpha: 0.5}}}",
      [.animate(Timing(0.25), [.set(view: "v", [setting("alpha", 0.5)])])]
    ),
    ("run: [aplay, 1, ding.wav]", [.run(command: ["aplay", "1", "ding.wav"], show: nil, timeLimit: 10)]),
    (
      "run: {command: [date], show: l, timeout: none}", [.run(command: ["date"], show: "l", timeLimit: nil)]
    ),
    (
      "send: {to: subscribers, message: {step: 1, all: [true, null]}}",
      [.send(message: #"{"step":1,"all":[true,null]}"#, to: .subscribers)]
    ),
    (
      "set: {l: {text: \"{text} {l.text}\"}}",
      [.set(view: "l", [], computed: [computed("text", "{text} {l.text}")])]
    ),
  ]

  @Test(arguments: rows)
  func `a step is what it says`(step: String, expected: [ActionStep]) throws {
    let configuration = try parse(Self.pressing("{\(step)}"))
    let list = try #require(configuration.actions.first)
    #expect(list.trigger == .control(0, .touchUpInside))
    #expect(list.steps.map(\.step) == expected)
    #expect(list.steps.allSatisfy { $0.place.line == 3 && $0.place.column == 1 })
  }

  static let wrong: [(String, [String])] = [
    ("{sett: {l: {text: a}}}", ["3:2: error: unknown key \"sett\" in a step; did you mean \"set\"?"]),
    (
      "{toggle: {v: hidden}, page: {p: previous}}",
      [
        "3:23: error: a step does one thing, and this is its second; begin it with \"-\", as a step of its own"
      ]
    ),
    (
      "page",
      [
        "3:1: error: a step is the text \"page\"; give a mapping with set, toggle, change, page, present, dismiss, scroll_to, backlight, blank, run, send, if, after or animate"
      ]
    ),
    (
      "{set: {lable: {text: a}}}",
      [
        "3:8: error: no view or value has the id \"lable\", which set names; give a view's id, or the name of a value"
      ]
    ),
    (
      "{set: {dail: {value: 1}}}",
      ["3:8: error: no view or value has the id \"dail\", which set names; did you mean \"dial\"?"]
    ),
    (
      "{set: {l: {txet: a}}}",
      ["3:12: error: unknown key \"txet\" in what is set of a view; did you mean \"text\"?"]
    ),
    (
      "{send: {topic: lamp, to: subscribers, message: on}}",
      ["3:9: error: unknown key \"topic\" in a send; the keys of a send are to and message"]
    ),
    (
      "{set: {v: {text: a}}}",
      [
        "3:12: error: only labels, buttons, text fields, text views and QR codes have \"text\", and \"v\" is a view; name another view, or remove it"
      ]
    ),
    ("{set: {v: {alpha: 2}}}", ["3:19: error: alpha is 2; give a number from 0 to 1"]),
    (
      "{set: {v: {alpha: \"1\"}}}",
      ["3:19: error: alpha is the text \"1\"; leave out the quotes to make it a number"]
    ),
    ("{set: {v: {hidden: yes}}}", ["3:20: error: hidden is the text \"yes\"; write true"]),
    (
      "{set: {v: {frame: [1, 2, -3, 4]}}}",
      ["3:26: error: width in frame is -3; give a number from 0 to 10000000"]
    ),
    (
      "{set: {l: {font: {size: big}}}}",
      ["3:25: error: font.size is the text \"big\"; give a number above 0, up to 1000"]
    ),
    (
      "{set: {l: {font: {sise: 8}}}}",
      ["3:19: error: unknown key \"sise\" in a font; did you mean \"size\"?"]
    ),
    (
      "{set: {p: {page: mor}}}",
      ["3:18: error: \"p\" has no subview with the id \"mor\"; did you mean \"more\"?"]
    ),
    ("{set: {l: {text: [a]}}}", ["3:18: error: text is a list; give a text"]),
    ("{set: {}}", ["3:7: error: set names no view; give {setpoint: {text: \"22\"}}"]),
    (
      "{toggle: {v: alpha}}",
      ["3:14: error: a view has no \"alpha\" that is true or false; give hidden or user_interaction"]
    ),
    (
      "{toggle: {b: selcted}}",
      ["3:14: error: a button has no \"selcted\" that is true or false; did you mean \"selected\"?"]
    ),
    (
      "{page: {p: more, transition: slied}}",
      ["3:30: error: transition is the text \"slied\"; did you mean \"slide\"?"]
    ),
    (
      "{page: {transition: slide}}", ["3:8: error: page names no view; give {screens: next}"]
    ),
    (
      "{page: {screens: home}}",
      ["3:9: error: no view has the id \"screens\", which page names; give the id of a view of pages: p"]
    ),
    (
      "{animate: {seconds: 1}}",
      ["3:11: error: an animate needs \"set\"; give what is set: {panel: {alpha: 0}}"]
    ),
    (
      "{animate: {seconds: 11, set: {v: {alpha: 0}}}}",
      ["3:21: error: seconds is 11; give a number from 0 to 10"]
    ),
    (
      "{animate: {curve: ease, set: {v: {alpha: 0}}}}",
      ["3:19: error: curve is the text \"ease\"; give linear, ease_in, ease_out, ease_in_out or spring"]
    ),
    ("{present: v}", ["3:11: error: \"v\" is a view and is not presented; give the id of a sheet"]),
    (
      "{dismiss: sur}",
      ["3:11: error: no view has the id \"sur\", which dismiss names; did you mean \"sure\"?"]
    ),
    (
      "{scroll_to: {v: top}}",
      ["3:17: error: \"v\" is a view and does not scroll; name a view of the kind scroll"]
    ),
    (
      "{scroll_to: {s: dial}}",
      [
        "3:17: error: \"dial\" is not in \"s\"; give top, left, bottom, right, an offset [x, y], or the id of a view in it"
      ]
    ),
    ("{page: {v: next}}", ["3:12: error: \"v\" is a view and has no pages; name a view of the kind pages"]),
    ("{page: {p: l}}", ["3:12: error: \"p\" has no subview with the id \"l\"; it has home and more"]),
    (
      "{run: aplay}",
      [
        "3:7: error: run is the text \"aplay\"; give the program and its arguments as a list: [aplay]"
      ]
    ),
    (
      "{run: {command: [date], show: v}}",
      ["3:31: error: \"v\" is a view and shows no text; give the id of a label or a button"]
    ),
    (
      "{run: {show: l}}",
      ["3:7: error: a run needs \"command\"; give the program and its arguments: [aplay, ding.wav]"]
    ),
    (
      "{send: {to: chime, message: 1}}",
      [
        "3:13: error: the handler \"chime\" is not a process, and takes no messages; give the name of a process handler, or subscribers"
      ]
    ),
    (
      "{send: {to: climate, message: 1}}",
      ["3:13: error: no handler is called \"climate\"; declare it under \"handlers:\""]
    ),
    (
      "{send: {to: subscribers}}", ["3:8: error: a send needs \"message\"; give anything that JSON can carry"]
    ),
    (
      "{set: {l: {text: \"{value}\"}}}",
      [
        "3:20: error: {value} stands for the value of the control that has these actions, and it has no value; "
          + "give the control a value, or name another view, as in {setpoint.value}"
      ]
    ),
    (
      "{set: {l: {text: \"{dial.text}\"}}}",
      [
        "3:25: error: \"dial\" is a control without a text, so {dial.text} stands for nothing; "
          + "name a label, a button, a segmented control or a list"
      ]
    ),
    (
      "{set: {l: {text: \"{dail.value}\"}}}",
      ["3:20: error: no view has the id \"dail\"; did you mean \"dial\"?"]
    ),
    (
      "{run: [echo, \"{v.value}\"]}",
      [
        "3:18: error: \"v\" is a view without a value, so {v.value} stands for nothing; name a control that has one"
      ]
    ),
    (
      "{send: {to: subscribers, message: {a: [\"{nothing.value}\"]}}}",
      [
        "3:42: error: no view has the id \"nothing\"; give the name of a value of the file, or a property of a view, "
          + "such as {title.text}; \"{{\" is a brace"
      ]
    ),
    (
      "{run: [\"{dial.value}\"]}",
      ["3:7: error: a value cannot be in the name of a program; give it as an argument"]
    ),
    (
      "{change: {v: 1}}",
      ["3:14: error: \"v\" is a view and has no value to change; only controls with a value have"]
    ),
    (
      "{change: {dial: \"+1\"}}",
      ["3:17: error: dial is the text \"+1\"; leave out the quotes to make it a number"]
    ),
    (
      "{change: {dial: {value: 1}}}",
      ["3:17: error: dial is a mapping; give a number from -10000000 to 10000000"]
    ),
    (
      "{change: {plain: 1}}",
      ["3:18: error: the control \"plain\" has no value to set; give it one, such as value: 0"]
    ),
    ("{change: {}}", ["3:10: error: change names no view; give {setpoint: 0.5}"]),
  ]

  @Test(arguments: wrong)
  func `a wrong step is refused where it stands`(step: String, expected: [String]) {
    #expect(findings(in: Self.pressing(step)) == expected)
  }

  @Test(arguments: [
    (
      "kind: button, actions: {touch_up: []}",
      "1:71: error: unknown key \"touch_up\" in the actions of a control; did you mean \"touch_up_inside\"?"
    ),
    (
      "kind: button, actions: {pressed: []}",
      "1:71: error: unknown key \"pressed\" in the actions of a control; did you mean \"touch_up_inside\"?"
    ),
    (
      "kind: button, actions: {touchUpInside: []}",
      "1:71: error: unknown key \"touchUpInside\" in the actions of a control; did you mean \"touch_up_inside\"?"
    ),
    (
      "kind: button, actions: [run: [a]]",
      "1:70: error: actions is a list; give what the control sends and the steps for it: {touch_up_inside: [page: {screens: next}]}"
    ),
    (
      "actions: {touch_down: []}",
      "1:47: error: \"actions\" is a key of a control or a button, and this is a view; change the kind, "
        + "or give it gestures: [{kind: tap, actions: ...}]"
    ),
    (
      "gestures: [{kind: tap, actions: {began: []}}]",
      "1:80: error: a tap is over when it is recognised, so it is only ever ended; put the steps there"
    ),
    (
      "page: x",
      "1:47: error: \"page\" is a key of a view of pages, and this is a view; change the kind or remove it"
    ),
    ("kind: pages, page: x", "1:66: error: \"a\" has no subview with the id \"x\"; give it subviews"),
    (
      "kind: button, value: 3",
      "1:61: error: \"value\" is a key of a control with a value, and this is a button; change the kind or remove it"
    ),
    ("kind: control, value: 3", "1:69: error: value is 3; give a number from 0 to 1"),
    ("kind: control, minimum: 3", "1:71: error: minimum is 3 and maximum 1; give a larger maximum"),
  ])
  func `actions, pages and values are refused where they do not belong`(keys: String, expected: String) {
    #expect(findings(in: withView(keys)) == [expected])
  }

  @Test func `a list alone is for the moment in which a gesture is recognised`() throws {
    var states: [String: GestureRecognizer.State] = [:]
    for kind in Configuration.Gesture.Kind.allCases {
      let edges = kind == .screenEdgePan ? ", edges: left" : ""
      let text = "window: {gestures: [{kind: \(kind.rawValue)\(edges), actions: [toggle: {window: hidden}]}]}"
      guard case .gesture(0, let state)? = try parse(text).actions.first?.trigger else { continue }
      states[kind.rawValue] = state
    }
    #expect(
      states == [
        "tap": .ended, "swipe": .ended, "long_press": .began, "pan": .began, "pinch": .began,
        "rotation": .began, "screen_edge_pan": .began,
      ])
  }

  @Test func `the value of a control may stand in what it does`() throws {
    let configuration = try parse(
      """
      window:
        subviews:
          - {id: l, kind: label, frame: [0, 0, 1, 1]}
          - id: dial
            kind: control
            frame: [0, 0, 1, 1]
            value: 20.3
            minimum: 5
            maximum: 30
            step: 0.5
            actions: {value_changed: [set: {l: {text: "{value}"}}, run: [echo, "{value}"]]}
      """)
    #expect(
      (configuration.views[1].makeView() as? Control)?.controlValue
        == ControlValue(20.5, minimum: 5, maximum: 30, step: 0.5))
    #expect(configuration.actions.map(\.trigger) == [.control(1, .valueChanged)])
  }

  @Test func `the tree shows the page and has the value that the file names`() throws {
    let tree = ViewTree(
      try parse(
        """
        window:
          subviews:
            - id: p
              kind: pages
              frame: [0, 0, 1, 1]
              page: more
              subviews: [{id: home, frame: [0, 0, 1, 1]}, {id: more, frame: [0, 0, 1, 1]}]
            - {id: q, kind: pages, frame: [0, 0, 1, 1], subviews: [{id: only, frame: [0, 0, 1, 1]}]}
            - {id: dial, kind: control, frame: [0, 0, 1, 1], value: 1}
            - {id: ok, kind: button, frame: [0, 0, 1, 1], actions: {touch_down: [page: {p: home}], touch_cancel: []}}
        """), canvasSize: Size(width: 10, height: 10))
    #expect((tree.viewsByID["p"] as? PagesView)?.page?.id == "more")
    #expect((tree.viewsByID["q"] as? PagesView)?.page?.id == "only")
    #expect((tree.viewsByID["dial"] as? Control)?.controlValue?.number == 1)
    #expect(tree.controlActions.map(\.control.id) == ["ok"])
    #expect(tree.controlActions.first?.steps.keys.map(\.rawValue).sorted() == ["touchCancel", "touchDown"])
  }
}
