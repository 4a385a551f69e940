# What this run left, in ParaView: paraview --script=view.py, or File > Load State; pvbatch view.py PICTURE.png draws it.
#
# Opens the last series of pictures, or the one that SERIES names (a file .pvd below this folder): structure deformed so that it can be seen, in
# von Mises' stress where there is some, contact points as spheres by what they do with their forces as arrows, supports of tubes, plane models from
# the front without perspective.
import glob
import os
import sys

from paraview.simple import *

SERIES = ""
folder = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else os.getcwd()


def series_of(folder):
    found = [os.path.join(folder, SERIES)] if SERIES else sorted(glob.glob(os.path.join(folder, "*", "*.pvd")), key=os.path.getmtime)
    found = [path for path in found if not path.endswith(("-contact.pvd", "-supports.pvd", "-joints.pvd"))]
    if not found:
        raise SystemExit("there is no series of pictures below " + folder)
    return found[-1]


def size_of(source):
    x0, x1, y0, y1, z0, z1 = source.GetDataInformation().GetBounds()
    return max(x1 - x0, y1 - y0, z1 - z0), (z1 - z0) == 0


def largest(source, name):
    """Over the whole series."""
    most = 0.0
    for time in source.TimestepValues or [0.0]:
        source.UpdatePipeline(time)
        array = source.PointData.GetArray(name)
        most = max(most, max(abs(bound) for bound in array.GetRange(-1))) if array else most
    return most


def warp(source, scale):
    warped = WarpByVector(Input=source, Vectors=["POINTS", "displacement"])
    warped.ScaleFactor = scale
    return warped


path = series_of(folder)
structure = PVDReader(FileName=path)
structure.UpdatePipeline()
size, flat = size_of(structure)
moved = largest(structure, "displacement")
scale = 0.1 * size / moved if moved > 0 else 1.0
view = GetActiveViewOrCreate("RenderView")
shown = Show(warp(structure, scale), view)
field = "von_mises" if largest(structure, "von_mises") > 0 else "displacement"
ColorBy(shown, ("POINTS", field))
shown.SetScalarBarVisibility(view, True)
bar = GetScalarBar(GetColorTransferFunction(field), view)
bar.Title, bar.ComponentTitle = ("von Mises stress [Pa]", "") if field == "von_mises" else ("displacement [m]", "magnitude")
bar.TitleFontSize, bar.LabelFontSize, bar.WindowLocation = 8, 8, "Lower Center"
bar.Orientation = "Horizontal"
outline = Show(structure, view)
outline.Representation = "Outline"
if os.path.exists(path[:-4] + "-contact.pvd"):
    contact = PVDReader(FileName=path[:-4] + "-contact.pvd")
    points = Show(warp(contact, scale), view)
    points.Representation = "Point Gaussian"
    points.GaussianRadius = 0.004 * size
    ColorBy(points, ("POINTS", "status"))
    if largest(contact, "force") > 0:
        arrows = Glyph(Input=warp(contact, scale), GlyphType="Arrow")
        arrows.OrientationArray, arrows.ScaleArray = ["POINTS", "force"], ["POINTS", "force"]
        arrows.ScaleFactor, arrows.GlyphMode = 0.1 * size / largest(contact, "force"), "All Points"
        ColorBy(Show(arrows, view), None)
if os.path.exists(path[:-4] + "-supports.pvd"):
    supports = Show(PVDReader(FileName=path[:-4] + "-supports.pvd"), view)
    supports.Opacity = 0.4
    ColorBy(supports, None)
view.InteractionMode = "2D" if flat else "3D"
view.CameraParallelProjection = 1 if flat else 0
ResetCamera(view)
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
GetAnimationScene().GoToLast()
shown.RescaleTransferFunctionToDataRangeOverTime()  # one range for the whole series
Render(view)
if len(sys.argv) > 1 and sys.argv[-1].endswith(".png"):
    SaveScreenshot(sys.argv[-1], view, ImageResolution=[1200, 800])
    print(f"{os.path.relpath(path, folder)}: {field}, deformed {scale:.6g} times")
