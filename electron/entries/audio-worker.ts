/** The thread that reads tracks and takes sound out of videos; started by the window and by the terminal. */
import '../platform/node/audio/audio-worker.ts';
