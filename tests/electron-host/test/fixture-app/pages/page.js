window.bridgeWasThere = typeof window.fixture;
window.dropped = null;
window.keys = [];
window.fromMain = [];
window.portMessages = [];
window.fixture?.onMessage((...args) => window.fromMain.push(args));
addEventListener('message', (event) => {
  if (event.data !== 'port') return;
  const [port] = event.ports;
  window.port = port;
  port.onmessage = (message) => window.portMessages.push(message.data);
});
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  window.dropped = [...event.dataTransfer.files].map((file) => ({
    name: file.name,
    path: window.fixture.pathOf(file),
  }));
});
