// Loaded into processes of a soak (NODE_OPTIONS=--import) that must find a leak: keeps more and more memory in the app that LEAK_IN names.
const { LEAK_IN: app, LEAK_MB_PER_SECOND: rate } = process.env;
if (app !== undefined && process.argv[1]?.includes(`/apps/${app}/`)) {
  const kept: unknown[] = [];
  setInterval(() => {
    kept.push(Array.from({ length: (Number(rate) * 2 ** 20) / 8 / 4 }, (_, index) => index / 3));
  }, 250).unref();
}
