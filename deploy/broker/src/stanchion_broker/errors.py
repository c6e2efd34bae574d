"""What can keep a broker from running.

BrokerError
├── AlreadyRunning   a broker of the same home is up: use it, or stop it
├── DataUnusable     the data folder is not one that this broker can open
├── JarsUnavailable  a jar can't be fetched, or is not the one that was locked
├── PortTaken        another program listens where the broker would
└── StartFailed      Kafka ended, or stayed silent, before it was ready
"""


class BrokerError(Exception):
    """The broker can't run; the text says why and what to do."""


class AlreadyRunning(BrokerError):
    """A broker of the same home is up."""


class DataUnusable(BrokerError):
    """The data folder is not one that this broker can open."""


class JarsUnavailable(BrokerError):
    """A jar can't be fetched, or is not the one that was locked."""


class PortTaken(BrokerError):
    """Another program listens where the broker would."""


class StartFailed(BrokerError):
    """Kafka ended, or stayed silent, before it was ready."""
