/** The speeds that the menu offers and the keys step through. */
export const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

const fastest = Math.max(...rates);

/** The next higher speed, from any speed; the highest stays. */
export const fasterThan = (rate: number): number => rates.find((one) => one > rate) ?? fastest;

/** The next lower speed, from any speed; the lowest stays. */
export const slowerThan = (rate: number): number => rates.findLast((one) => one < rate) ?? rates[0];
