/** The version of the protocol between gateway and agent. A gateway takes agents of its own version and of the one before. */
export const protocolVersion = 1;

/** Bytes of a stream that may be under way before its reader has taken any. */
export const windowBytes = 262_144;
/** Bytes of all streams of a connection that have not been read yet; a stream that brings more fails. */
export const maxUnreadBodyBytes = 33_554_432;
/** Maximum number of bytes of a body in one frame. */
export const maxDataBytes = 65_536;
/** Maximum number of bytes of a head: method, address and headers, or status and headers, as JSON. */
export const maxHeadBytes = 98_304;
/** Maximum size of a WebSocket message; a larger one closes the connection before it is read. */
export const maxFrameBytes = maxHeadBytes + 16;
/** Requests that one agent answers at the same time; further ones are refused. */
export const maxStreams = 256;
/** Bytes that wait for the socket before bodies wait. */
export const maxWaitingBytes = 1_048_576;
/** Bytes that wait for the socket of a peer that reads nothing, before the connection is closed. */
export const maxUnreadBytes = 33_554_432;
/** Interval of signs of life in both directions. */
export const pingIntervalMs = 10_000;
/** Silence after which a connection counts as lost. */
export const maxSilenceMs = 25_000;
