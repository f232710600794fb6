/** The thread that reads tracks and extracts audio from videos; started by the window and by the terminal. */
import '../platform/node/audio/audio-worker.ts';
