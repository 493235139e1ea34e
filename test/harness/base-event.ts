/**
 * An event of no class of its own that the made-up company does not have, as a caller sends it.
 * @param more fields beside, or in place of, its own
 */
export function baseEvent(uid: string, more: object = {}) {
  return {
    class_name: 'Base Event',
    class_uid: 0,
    category_uid: 0,
    activity_id: 99,
    activity_name: 'test',
    type_uid: 99,
    severity_id: 1,
    time: 1795305600500,
    message: `event ${uid}`,
    metadata: { version: '1.3.0', uid, product: { name: 'Test', vendor_name: 'Acme' } },
    ...more,
  };
}
