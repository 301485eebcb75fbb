import TouchKit

let app = try Application(display: .headless(width: 320, height: 240))
let panel = Panel(id: "panel")
app.window.rootViewController = panel

@MainActor func find<Kind: View>(_ id: String) -> Kind { app.window.view(id: id) as! Kind }
let (horn, count, clock): (Button, Label, ClockFace) = (find("horn"), find("count"), find("clock"))
let (volume, loud): (Slider, Switch) = (find("volume"), find("loud"))

app.touch(.tap(horn))
app.touch(.tap(horn))
print("pressed \(count.text) times")
app.advance(by: .seconds(3))
print("the label is \(count.text), and the clock \(clock.frame.width) wide")

app.touch(.drag(from: Point(x: 250, y: 70), to: Point(x: 250, y: 130)))
print("the card went to \(panel.card.frame.origin.y.rounded())")
app.touch(.pinch(around: Point(x: 250, y: 130), from: 40, to: 80))
print("and grew to \(panel.card.frame.width.rounded())")
app.touch(.tap(at: Point(x: 250, y: 130), count: 2))
print("and is back at \(panel.card.frame.origin.y)")

app.touch(.drag(from: Point(x: volume.thumbRect.midX + 10, y: 200), to: Point(x: 400, y: 200)))
print("the volume is \(volume.value), the horn \(horn.alpha)")
app.touch(.tap(loud))
print("the slider is \(volume.isEnabled ? "on" : "off")")
app.touch(.tap(at: Point(x: 310, y: 230)))

let scroll = gallery()
app.window.addSubview(scroll)
app.touch(.drag(from: Point(x: 90, y: 30), to: Point(x: 20, y: 30)))
app.advance(by: .seconds(1))
print("page \(Int(scroll.contentOffset.x / scroll.bounds.width)) of \(scroll.contentSize.width / 100)")
let corner = scroll.convert(scroll.bounds, to: app.window)
print("the gallery is at \(corner.origin), \(corner.width) wide")
