/** The threads that read long answers, write long texts, copy a library and restore a damaged one, for the window and the terminal. */
import './compose/copying/copying-worker.ts';
import './compose/reading/reading-worker.ts';
import './compose/restoring/restoring-worker.ts';
import './compose/writing/writing-worker.ts';
