import transform, { type FFT } from 'wavesurfer.js/dist/fft.js';

/** It is an old-style constructor, which its types declare as a function. */
export const Transform = transform as unknown as typeof FFT;
