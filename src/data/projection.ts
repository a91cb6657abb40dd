/**
 * Converts plane coordinates of a Korean system, or of web maps, to degrees of WGS84; null for any other system. Systems
 * on Bessel’s ellipsoid are accurate to about three metres, those on GRS80 to a centimetre.
 *
 * Sources: EPSG Geodetic Parameter Dataset; the parameters of the shift from the Korean datum of 1985 are those of the
 * National Geographic Information Institute. Series of the projection: Krüger, as in Karney, Transverse Mercator with an
 * accuracy of a few nanometers, 2011.
 */
export function degreesOf(system: number, x: number, y: number): Degrees | null {
  if (system === webMercator) {
    return {
      lat: Math.atan(Math.sinh(y / webMercatorRadius)) * perRadian,
      lon: (x / webMercatorRadius) * perRadian,
    };
  }
  const plane = systems.get(system);
  if (plane === undefined) return null;
  const local = unproject(plane, x, y);
  return plane.isBessel
    ? shiftToWgs84(local)
    : { lat: local.lat * perRadian, lon: local.lon * perRadian };
}

/** The plane of maps on the web (Pseudo-Mercator), on a sphere. */
const webMercator = 3857;
const webMercatorRadius = 6_378_137;

/** A position on WGS84. */
interface Degrees {
  readonly lat: number;
  readonly lon: number;
}

interface Plane {
  readonly isBessel: boolean;
  /** Longitude of the centre in degrees; its latitude is 38. */
  readonly lon: number;
  readonly scale: number;
  readonly falseX: number;
  readonly falseY: number;
}

const centralBelt = { lon: 127, scale: 1, falseX: 200_000, falseY: 500_000 };

/** Systems by their number in EPSG. */
const systems: ReadonlyMap<number, Plane> = new Map([
  [2097, { ...centralBelt, isBessel: true }],
  // 10.405″ east, which corrects the origin of 1985.
  [5174, { ...centralBelt, isBessel: true, lon: 127 + 10.405 / 3600 }],
  [5179, { isBessel: false, lon: 127.5, scale: 0.9996, falseX: 1_000_000, falseY: 2_000_000 }],
  [5181, { ...centralBelt, isBessel: false }],
  [5185, { ...centralBelt, isBessel: false, lon: 125, falseY: 600_000 }],
  [5186, { ...centralBelt, isBessel: false, falseY: 600_000 }],
  [5187, { ...centralBelt, isBessel: false, lon: 129, falseY: 600_000 }],
  [5188, { ...centralBelt, isBessel: false, lon: 131, falseY: 600_000 }],
]);

interface Ellipsoid {
  /** Half of the larger axis in metres. */
  readonly a: number;
  readonly flattening: number;
}

const bessel: Ellipsoid = { a: 6_377_397.155, flattening: 1 / 299.1528128 };
const grs80: Ellipsoid = { a: 6_378_137, flattening: 1 / 298.257222101 };
const perRadian = 180 / Math.PI;
const centreLat = 38 / perRadian;

/** Latitude and longitude in radians on the plane’s own ellipsoid. */
function unproject({ isBessel, lon, scale, falseX, falseY }: Plane, x: number, y: number): Degrees {
  const ellipsoid = isBessel ? bessel : grs80;
  const { n, radius, e } = seriesOf(ellipsoid);
  const eta = (x - falseX) / (radius * scale);
  const xi = (y - falseY) / (radius * scale) + northingOf(ellipsoid);
  const beta = [
    n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3,
    n ** 2 / 48 + n ** 3 / 15,
    (17 / 480) * n ** 3,
  ];
  let [u, v] = [xi, eta];
  for (const [at, factor] of beta.entries()) {
    const k = 2 * (at + 1);
    u -= factor * Math.sin(k * xi) * Math.cosh(k * eta);
    v -= factor * Math.cos(k * xi) * Math.sinh(k * eta);
  }
  const tau = Math.sin(u) / Math.hypot(Math.sinh(v), Math.cos(u));
  return {
    lat: latitudeOf(tau, e),
    lon: lon / perRadian + Math.atan2(Math.sinh(v), Math.cos(u)),
  };
}

/** Third flattening, radius of the rectifying sphere and eccentricity. */
function seriesOf({ a, flattening }: Ellipsoid): { n: number; radius: number; e: number } {
  const n = flattening / (2 - flattening);
  const radius = (a / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
  return { n, radius, e: Math.sqrt(flattening * (2 - flattening)) };
}

/** Angle of the centre on the rectifying sphere. */
function northingOf(ellipsoid: Ellipsoid): number {
  const { n, e } = seriesOf(ellipsoid);
  const tau = Math.tan(centreLat);
  const conformal = Math.atan(conformalOf(tau, e));
  const alpha = [
    n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3,
    (13 / 48) * n ** 2 - (3 / 5) * n ** 3,
    (61 / 240) * n ** 3,
  ];
  return alpha.reduce(
    (xi, factor, at) => xi + factor * Math.sin(2 * (at + 1) * conformal),
    conformal,
  );
}

/** Tangent of the conformal latitude. */
function conformalOf(tau: number, e: number): number {
  const sigma = Math.sinh(e * Math.atanh((e * tau) / Math.hypot(1, tau)));
  return tau * Math.hypot(1, sigma) - sigma * Math.hypot(1, tau);
}

/** Latitude of the tangent of a conformal latitude, by Newton’s method. */
function latitudeOf(conformal: number, e: number): number {
  let tau = conformal;
  for (let round = 0; round < 5; round++) {
    const off = conformalOf(tau, e);
    const slope =
      (Math.hypot(1, off) * (1 - e ** 2) * Math.hypot(1, tau)) / (1 + (1 - e ** 2) * tau ** 2);
    tau += (conformal - off) / slope;
  }
  return Math.atan(tau);
}

/** Shifts a position of the Korean datum of 1985 to WGS84 by seven parameters. */
function shiftToWgs84({ lat, lon }: Degrees): Degrees {
  const [x, y, z] = geocentric(lat, lon);
  const [rx, ry, rz] = [1.16, -2.31, -1.63].map((seconds) => seconds / 3600 / perRadian) as [
    number,
    number,
    number,
  ];
  const scale = 1 + 6.43e-6;
  return onGrs80(
    -115.8 + scale * (x - rz * y + ry * z),
    474.99 + scale * (rz * x + y - rx * z),
    674.11 + scale * (-ry * x + rx * y + z),
  );
}

function geocentric(lat: number, lon: number): [number, number, number] {
  const { a, flattening } = bessel;
  const e2 = flattening * (2 - flattening);
  const radius = a / Math.sqrt(1 - e2 * Math.sin(lat) ** 2);
  return [
    radius * Math.cos(lat) * Math.cos(lon),
    radius * Math.cos(lat) * Math.sin(lon),
    radius * (1 - e2) * Math.sin(lat),
  ];
}

/** Bowring’s formula, exact to a millimetre on the ground. */
function onGrs80(x: number, y: number, z: number): Degrees {
  const { a, flattening } = grs80;
  const b = a * (1 - flattening);
  const e2 = flattening * (2 - flattening);
  const distance = Math.hypot(x, y);
  const theta = Math.atan2(z * a, distance * b);
  const lat = Math.atan2(
    z + (e2 / (1 - e2)) * b * Math.sin(theta) ** 3,
    distance - e2 * a * Math.cos(theta) ** 3,
  );
  return { lat: lat * perRadian, lon: Math.atan2(y, x) * perRadian };
}
