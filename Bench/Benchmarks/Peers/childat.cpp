// Qt's hit test, QWidget::childAt, on the views and the points of operation-benchmark: `childat VIEWS TIMES`.
#include <QApplication>
#include <QWidget>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

int main(int count, char **arguments) {
  if (count != 3) return 64;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(count, arguments);
  int views = std::atoi(arguments[1]), times = std::atoi(arguments[2]);
  int columns = static_cast<int>(std::ceil(std::sqrt(views))), side = columns * 24;

  QWidget window;
  window.resize(side, side);
  std::vector<std::unique_ptr<QWidget>> children;
  for (int index = 0; index < views; index++) {
    children.push_back(std::make_unique<QWidget>(&window));
    children.back()->setGeometry(index % columns * 24 + 2, index / columns * 24 + 2, 20, 20);
  }
  // A widget that is not shown is not found.
  window.show();

  uint64_t state = 7;
  auto coordinate = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>(static_cast<double>(state >> 40) / (1 << 24) * side);
  };
  int hits = 0;
  for (int probe = 0; probe < times; probe++) {
    int x = coordinate();
    if (window.childAt(x, coordinate())) hits++;
  }
  std::_Exit(hits >= times / 3 ? 0 : 1);
}
