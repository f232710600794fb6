// The shipped main process, unchanged, behind a recorder of every message; the order of these two lines matters.
import './record-messages.mjs';
import '../../../dist/main/index.js';
