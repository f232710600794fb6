/** The thread that reads long answers of the service; started by the window and by the terminal. */
import './compose/reading/reading-worker.ts';
