import pytest

from gatehouse_homeserver import Homeserver


@pytest.fixture(scope="session")
def server():
    server = Homeserver(users=["alice", "bot"])
    yield server
    server.stop()


@pytest.fixture
def homeserver(server):
    """A homeserver in the state after its start."""
    server.reset()
    return server
