// The same random cases in every run of the tests, so that a change is never refused for a fault that was there before it. Another number
// in PROPERTY_SEED tries other cases; `npm run fuzz -- mapping` and `npm run fuzz -- http` look for new ones.
import fc from 'fast-check';

const seed = Number(process.env.PROPERTY_SEED ?? 1);
if (!Number.isSafeInteger(seed)) throw new Error('PROPERTY_SEED must be a whole number');
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
