window.bridgeWasThere = typeof window.fixture;
window.dropped = null;
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  window.dropped = [...event.dataTransfer.files].map((file) => [file.name, window.fixture.pathOf(file)]);
});
