// The health command of the image, which has no shell and no curl: exits with 0 if the process of this container is ready.
const { OBSERVE_PORT = '9464' } = process.env;
try {
  const response = await fetch(`http://127.0.0.1:${OBSERVE_PORT}/health/ready`);
  if (!response.ok) throw new Error(await response.text());
} catch (error) {
  console.error(error.cause?.message ?? error.message);
  process.exit(1);
}
