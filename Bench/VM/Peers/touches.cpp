// Prints what Qt says of each finger: a line `pressed ID` or `released ID`, and `cancelled` for all of them. It runs until it is ended.
//
//   touches -platform offscreen -plugin evdevtouch:/dev/input/eventN
#include <QApplication>
#include <QTouchEvent>
#include <QWidget>
#include <cstdio>

class Pad : public QWidget {
public:
  Pad() { setAttribute(Qt::WA_AcceptTouchEvents); }

protected:
  bool event(QEvent *event) override {
    switch (event->type()) {
      case QEvent::TouchBegin:
      case QEvent::TouchUpdate:
      case QEvent::TouchEnd:
        for (const auto &point : static_cast<QTouchEvent *>(event)->touchPoints()) {
          if (point.state() == Qt::TouchPointPressed) std::printf("pressed %d\n", point.id());
          if (point.state() == Qt::TouchPointReleased) std::printf("released %d\n", point.id());
        }
        break;
      case QEvent::TouchCancel: std::printf("cancelled\n"); break;
      default: return QWidget::event(event);
    }
    event->accept();
    return true;
  }
};

int main(int count, char **arguments) {
  QApplication application(count, arguments);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Pad pad;
  pad.showFullScreen();
  return application.exec();
}
