export const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

const fastest = Math.max(...rates);

export const fasterThan = (rate: number): number => rates.find((one) => one > rate) ?? fastest;

export const slowerThan = (rate: number): number => rates.findLast((one) => one < rate) ?? rates[0];
