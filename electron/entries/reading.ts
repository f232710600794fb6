/** The threads that read long answers, write long texts and restore a damaged library, for the window and the terminal. */
import './compose/reading/reading-worker.ts';
import './compose/restoring/restoring-worker.ts';
import './compose/writing/writing-worker.ts';
