/** Events for a sink, as input of ours and as records of a vendor's client. */
export const events = (count) =>
  Array.from({ length: count }, (_, index) => ({
    activity_id: 99,
    activity_name: 'test',
    category_uid: 0,
    class_name: 'Base Event',
    class_uid: 0,
    message: `Übung ${index} "of" <the> witness`,
    metadata: {
      product: { name: 'Scanner', vendor_name: 'Acme' },
      uid: `witness-${index}`,
      version: '1.3.0',
    },
    severity_id: 1,
    time: 1795305600000 + index,
    type_uid: 99,
  }));
