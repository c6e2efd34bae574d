"""What runs where: our process by its pid file, and whoever holds a port."""

import socket
from pathlib import Path

import psutil

from stanchion_broker.errors import PortTaken


def running(pid_file: Path, mark: str) -> psutil.Process | None:
    """The live process of a pid file, if it is ours.

    A pid is used again after a crash or a reboot, so the process's command line must hold `mark`. A stale file is
    removed.
    """
    try:
        process = psutil.Process(int(pid_file.read_text(encoding="ascii")))
        if process.status() != psutil.STATUS_ZOMBIE and any(mark in word for word in process.cmdline()):
            return process
    except (FileNotFoundError, ValueError, psutil.Error):
        pass
    pid_file.unlink(missing_ok=True)
    return None


def check_free(host: str, port: int, purpose: str, setting: str) -> None:
    """Sees to it that the port can be listened on.

    Args:
        host: the address.
        port: the port.
        purpose: whom the port is for, as a message says it.
        setting: the environment variable that chooses another port.

    Raises:
        PortTaken: it can't be; the text says who has it, where the system tells.
    """
    with socket.socket() as candidate:
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((host, port))
        except OSError as error:
            raise PortTaken(
                f"Port {port} of {host}, for {purpose}, is taken{holder(port)}: end that program, or choose other "
                f"ports with {setting}."
            ) from error


def holder(port: int) -> str:
    """Who listens on the port, as " by NAME (pid N)"; empty when the system does not tell."""
    try:
        for connection in psutil.net_connections(kind="tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid:
                return f" by {psutil.Process(connection.pid).name()} (pid {connection.pid})"
    except psutil.Error:
        pass
    return ""
