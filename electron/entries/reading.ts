/** The threads that read long answers of the service and write long texts; started by the window and the terminal. */
import './compose/reading/reading-worker.ts';
import './compose/writing/writing-worker.ts';
