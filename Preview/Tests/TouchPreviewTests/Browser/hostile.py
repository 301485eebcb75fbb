#!/usr/bin/python3
"""Attacks the page's server by plain sockets.

    hostile.py TOUCHTREE TEST

Ends with status 0 if all is well; else the error says what is not.
"""

import socket
import sys
import time

from preview import Scene


def answer(scene, path=None, host=None, **headers):
    """The first line that the server answers; empty where it hangs up."""
    preview = scene.preview
    connection = socket.create_connection(("127.0.0.1", preview.port), timeout=10)
    lines = [f"GET {path or preview.path} HTTP/1.1", f"Host: {host or preview.host}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    try:
        return connection, connection.recv(65536).decode(errors="replace").split("\r\n")[0]
    except ConnectionError:
        return connection, ""


def upgrade(scene, origin=None, **more):
    headers = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec_WebSocket_Version": "13", "Sec_WebSocket_Protocol": "touchtree", "Origin": origin or f"http://{scene.preview.host}"}
    headers.update({name: value for name, value in more.items() if name in headers})
    headers = {name: value for name, value in headers.items() if value}
    return answer(scene, path=more.get("path", scene.preview.path + "socket"), host=more.get("host"), **headers)


def frame(text):
    """A message as a browser sends it: masked."""
    data = text.encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


def well(scene):
    assert answer(scene)[1].startswith("HTTP/1.1 200"), "the page is served"
    assert upgrade(scene)[1].startswith("HTTP/1.1 101"), "its socket is opened"


def strangers(program):
    """Who has not the token, names another host, or comes from another page gets nothing."""
    with Scene(program, attached=True) as scene:
        well(scene)
        port = scene.preview.port
        wrong = "/" + "0" * 32 + "/"
        for path in ["/", "/socket", wrong, wrong + "socket", scene.preview.path[:-2] + "/", scene.preview.path + "../etc/passwd", "//"]:
            assert answer(scene, path=path)[1].startswith("HTTP/1.1 403"), path
            assert "101" not in upgrade(scene, path=path)[1], path
        for host in ["evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1", f"[::1]:{port}", f"127.0.0.1:{port + 1}"]:
            assert answer(scene, host=host)[1].startswith("HTTP/1.1 403"), host
            assert "101" not in upgrade(scene, host=host, origin=f"http://{host}")[1], host
        for origin in ["http://evil.example", f"https://127.0.0.1:{port}", "null", f"http://127.0.0.1:{port}.evil.example", f"http://localhost:{port + 1}"]:
            assert "101" not in upgrade(scene, origin=origin)[1], origin
        assert "101" not in upgrade(scene, Sec_WebSocket_Protocol="other")[1], "another protocol"
        assert "101" not in upgrade(scene, Sec_WebSocket_Protocol="")[1], "no protocol"
        well(scene)


def crowds(program):
    """10 000 connections, most of which ask nothing, and more tabs than there may be."""
    with Scene(program, attached=True) as scene:
        well(scene)
        before = scene.preview.memory()
        kept = []
        for number in range(10_000):
            connection = socket.socket()
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", scene.preview.port))
            kept.append(connection)
            if len(kept) == 500:
                time.sleep(0.01)
                for each in kept:
                    each.close()
                kept = []
        for each in kept:
            each.close()
        assert scene.preview.descriptors() < 128, scene.preview.descriptors()
        assert scene.preview.memory() < before + 16, (before, scene.preview.memory())
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                if answer(scene)[1].startswith("HTTP/1.1 200"):
                    break
            except OSError:
                pass
            time.sleep(0.1)
        well(scene)
        tabs = [upgrade(scene) for _ in range(40)]
        opened = [line for _, line in tabs if line.startswith("HTTP/1.1 101")]
        assert 1 <= len(opened) <= 8, len(opened)
        for connection, _ in tabs:
            connection.close()
        time.sleep(0.5)
        well(scene)


def idlers(program):
    """Who opens a socket and does not read, or sends what is too long, holds no memory and no one else up."""
    with Scene(program, attached=True) as scene:
        before = scene.preview.memory()
        idle = upgrade(scene)[0]
        idle.sendall(frame('{"type":"subscribe","events":["touch","value"]}'))
        reader = upgrade(scene)[0]
        for number in range(3000):
            scene.daemon.send(type="set", values={"count": number})
            if number % 100 == 0:
                idle.sendall(frame('{"type":"tree"}'))
                time.sleep(0.02)
        reader.settimeout(5)
        received = 0
        while received < 800 * 480 * 4:
            received += len(reader.recv(1 << 20))
        assert scene.preview.memory() < before + 32, (before, scene.preview.memory())
        long = upgrade(scene)[0]
        long.settimeout(5)
        long.sendall(bytes([0x81, 0xff]) + (1 << 40).to_bytes(8, "big") + bytes(4))
        try:
            for _ in range(64):
                long.sendall(b"x" * 65536)
            while long.recv(1 << 20):
                pass
        except TimeoutError:
            raise AssertionError("a message that is too long is taken")
        except OSError:
            pass
        well(scene)


if __name__ == "__main__":
    globals()[sys.argv[2]](sys.argv[1])
